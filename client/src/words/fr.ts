/** The client's own sentences in French, fetched as one file when somebody reads French. */

const files = import.meta.glob<Record<string, string>>("./fr/*.json", { eager: true, import: "default" });

export default Object.assign({}, ...Object.values(files)) as Record<string, string>;
