/** Marks an area that can be scrolled on, so that its style can fade the edge where something is hidden. */

/** Less than this many pixels are nothing to scroll to. */
const TOLERANCE_PX = 4;

/** Sets `data-more-above` and `data-more-below` while something is hidden there. */
export function scrollEdges(node: HTMLElement): { destroy: () => void } {
    function measure(): void {
        const { scrollTop, scrollHeight, clientHeight } = node;
        node.toggleAttribute("data-more-above", scrollTop > TOLERANCE_PX);
        node.toggleAttribute("data-more-below", scrollHeight - clientHeight - scrollTop > TOLERANCE_PX);
    }

    const resized = new ResizeObserver(measure);
    const watchChildren = (): void => {
        resized.disconnect();
        for (const one of [node, ...node.children]) resized.observe(one);
        measure();
    };
    const changed = new MutationObserver(watchChildren);
    changed.observe(node, { childList: true, subtree: true });
    node.addEventListener("scroll", measure, { passive: true });
    watchChildren();
    return {
        destroy() {
            resized.disconnect();
            changed.disconnect();
            node.removeEventListener("scroll", measure);
        },
    };
}
