/**
 * What somebody at a table can see and do now. All that tests know of how the table marks things stands here:
 * `data-choice` is on whatever can be chosen, `data-spot` says what it is, `data-prompt` is the question.
 */
const words = (element) => element.getAttribute("aria-label") ?? element.innerText.trim();

window.readTable = () => {
    const shown = (element) => element !== null && element.checkVisibility();
    const prompt = document.querySelector("[data-prompt]");
    const buttons = [...(prompt?.querySelectorAll("button") ?? [])].filter(shown);
    const named = (...names) => buttons.find((button) => names.some((name) => words(button).startsWith(name)));
    const confirm = named("Confirm", "Confirmer");
    const back = named("Cancel", "Reposer");
    const sort = (element) => {
        if (element.closest("[data-anchor^=hand]")) return "hand";
        if (element.dataset.spot) return element.dataset.spot.split(":")[0];
        return element.dataset.verb ?? "option";
    };
    const elements = [...document.querySelectorAll("[data-choice]")].filter(shown);
    const dialog = [...document.querySelectorAll("dialog[open], [role=dialog]")].filter(shown).at(-1);
    window.probed = [...elements, confirm];
    return {
        asked: elements.length > 0,
        question: prompt?.innerText ?? "",
        dialog: dialog ? (dialog.getAttribute("aria-label") ?? dialog.querySelector("h2").innerText) : "",
        over: document.querySelector("dialog[open] .game-over") !== null,
        taken: back !== undefined,
        choices: elements.map((element) => ({
            name: words(element),
            sort: sort(element),
            pressed: element.getAttribute("aria-pressed") === "true",
        })),
        confirm: confirm === undefined ? "" : words(confirm),
        enough: confirm !== undefined && !confirm.disabled,
    };
};

/** Where to put the pointer to hit something that was seen; or by what it is covered all over. */
window.findClickPoint = ([index, name]) => {
    const element = window.probed.at(index);
    if (element === undefined || !element.isConnected || (name !== "" && words(element) !== name)) return "gone";
    element.scrollIntoView({ block: "nearest", inline: "center", behavior: "instant" });
    const { left, top, width, height } = element.getBoundingClientRect();
    for (const down of [0.5, 0.25, 0.75, 0.1, 0.9]) {
        for (const right of [0.5, 0.25, 0.1, 0.75, 0.9, 0.04]) {
            const [x, y] = [left + width * right, top + height * down];
            const hit = document.elementFromPoint(x, y);
            if (hit !== null && (hit === element || element.contains(hit))) return { x, y };
        }
    }
    const middle = document.elementFromPoint(left + width / 2, top + height / 2);
    return { covered: `${middle?.tagName} ${middle?.className} over ${left} ${top} ${width} ${height}` };
};

/** The names on the cards in the hand that is shown, as a screen reader says them. */
window.hand = () =>
    [...document.querySelectorAll("section[data-anchor^=hand] [data-spot]")].map((card) => card.ariaLabel);

/** All words that are on the board or in the log, but for what the log tells this player only. */
window.publicText = () => {
    const lines = [...document.querySelectorAll("[role=log] p")].map((line) => line.innerText);
    const board = document.querySelector("[data-base]").parentElement;
    return board.outerHTML + lines.filter((line) => !line.includes(" draws ")).join("\n");
};

/** What everybody at a table can see, whoever looks: to compare two windows. */
window.publicState = () => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const label = (element) => element.getAttribute("aria-label") ?? "";
    return {
        bases: all("[data-base]").map((base) => label(base).split(", ").slice(0, 2).join(", ")),
        cards: all("[data-base] [data-spot^=card]")
            .map((card) => `${card.dataset.spot} ${label(card).match(/power \d+|$/)[0]}`)
            .toSorted(),
        points: all("[data-vp]").map((points) => points.innerText.split("\n")[0]),
        piles: all("aside [data-anchor]").map((pile) => `${pile.dataset.anchor} ${pile.innerText}`),
        turn: all("[role=log] h3").at(-1)?.innerText.trim() ?? "",
    };
};
