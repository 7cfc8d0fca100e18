/** Marks at the end of a sentence, the same way as `smashup/engine/messages.py`. */

/** Words that follow a name, less a mark that the name has already: “Eh?” ends its question. */
export function withoutRepeatedMark(before: string, words: string): string {
    const marks = words.replace(/^[ \u00a0\u202f]+/, "");
    const mark = marks.charAt(0);
    const last = before.replace(/[”»]+$/, "").slice(-1);
    if (mark === "" || last === "") return words;
    const doubled = mark === "." ? ".?!…".includes(last) : "?!".includes(mark) && mark === last;
    return doubled ? marks.slice(1) : words;
}
