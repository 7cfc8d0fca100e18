/**
 * Shorter path data. The icons are drawn on a field of 512 units with three decimals; at the size of a card whole
 * units cannot be told from decimals. The pen position is rounded, not each step, so that the errors of relative
 * steps do not add up.
 */

/** How each command's numbers are meant: x and y of a point, a single x or y, or a number as it is. */
const SHAPES = {
    M: "xy",
    L: "xy",
    T: "xy",
    H: "x",
    V: "y",
    C: "xyxyxy",
    S: "xyxy",
    Q: "xyxy",
    A: "nnnffxy",
    Z: "",
};

/** The numbers of a path one by one; flags of arcs may be written without a space behind them. */
function read(data) {
    const commands = [];
    for (const [whole] of data.matchAll(/[a-zA-Z][^a-zA-Z]*/g)) {
        const letter = whole[0];
        let rest = whole.slice(1);
        const shape = SHAPES[letter.toUpperCase()];
        if (shape === undefined) throw new Error(`The path command ${letter} is not known.`);
        const numbers = [];
        while (/\d/.test(rest)) {
            const flag = shape[numbers.length % (shape.length || 1)] === "f";
            const found = rest.match(flag ? /^[\s,]*([01])/ : /^[\s,]*(-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/);
            if (found === null) throw new Error(`The path ends in ${rest.slice(0, 20)}.`);
            numbers.push(Number(found[1]));
            rest = rest.slice(found[0].length);
        }
        commands.push({ letter, shape, numbers });
    }
    return commands;
}

/** Numbers as short as they can be written, one after the other. */
function write(numbers) {
    let text = "";
    for (const number of numbers) {
        const written = String(number).replace(/^(-?)0\./, "$1.");
        const glued = text === "" || written[0] === "-" || (written[0] === "." && /\.\d*$/.test(text));
        text += glued ? written : ` ${written}`;
    }
    return text;
}

/** The same path, with its numbers rounded to whole units. */
export function shorten(data) {
    const round = Math.round;
    let out = "";
    let last = "";
    const true_ = { x: 0, y: 0 };
    const drawn = { x: 0, y: 0 };
    const start = { true: { x: 0, y: 0 }, drawn: { x: 0, y: 0 } };
    for (const { letter, shape, numbers } of read(data)) {
        const relative = letter === letter.toLowerCase();
        const steps = shape === "" ? [[]] : [];
        for (let at = 0; shape !== "" && at < numbers.length; at += shape.length) {
            steps.push(numbers.slice(at, at + shape.length));
        }
        steps.forEach((step, index) => {
            const next = { ...true_ };
            const written = step.map((value, place) => {
                const kind = shape[place];
                if (kind === "f") return value;
                if (kind === "n") return round(value);
                const point = relative ? true_[kind] + value : value;
                next[kind] = point;
                return relative ? round(point - drawn[kind]) : round(point);
            });
            step.forEach((_, place) => {
                const kind = shape[place];
                const isEnd = place >= shape.length - (shape.length > 1 ? 2 : 1);
                if (!isEnd || (kind !== "x" && kind !== "y")) return;
                drawn[kind] = round(relative ? drawn[kind] + written[place] : written[place]);
            });
            Object.assign(true_, next);
            if (letter.toUpperCase() === "M" && index === 0) {
                start.true = { ...true_ };
                start.drawn = { ...drawn };
            }
            if (letter.toUpperCase() === "Z") {
                Object.assign(true_, start.true);
                Object.assign(drawn, start.drawn);
            }
            const follows =
                letter === last || (last === "m" && letter === "l") || (last === "M" && letter === "L");
            const numbersText = write(written);
            const space = follows && numbersText !== "" && numbersText[0] !== "-" ? " " : "";
            out += follows && shape !== "" ? space + numbersText : letter + numbersText;
            last = letter;
        });
    }
    return out;
}
