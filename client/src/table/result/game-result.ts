/** The end of a game in words: which place, by how much, and which bases each player won. */

import { t } from "../../lib/i18n.svelte";
import type { LogLineView, TableForm, TableInfo } from "../../protocol";
import { LEVELS, type Level } from "../../pages/seat-names";
import { idsInMessage, messageParts } from "../cards/message-parts";

/** "You came second, 12 : 15"; empty for spectators. */
export function describeResult(points: number[], winners: number[], me: number | null): string {
    if (me === null || winners.length === 0) return "";
    const mine = points[me] ?? 0;
    const others = points.filter((_, player) => player !== me);
    const scores = { mine, best: Math.max(...others) };
    if (winners.includes(me)) {
        return winners.length > 1
            ? t("You share first place, {mine} : {best}", scores)
            : t("You won, {mine} : {best}", scores);
    }
    const leader = Math.max(...winners.map((winner) => points[winner] ?? 0));
    const place = placeOf(points, winners, me);
    const gap = { mine, best: leader };
    if (place === 2) return t("You came second, {mine} : {best}", gap);
    if (place === 3) return t("You came third, {mine} : {best}", gap);
    return t("You came fourth, {mine} : {best}", gap);
}

/** The place of a player: winners come first, and other players with the same VP share a place. */
export function placeOf(points: number[], winners: number[], player: number): number {
    if (winners.includes(player)) return 1;
    const mine = points[player] ?? 0;
    return 1 + points.filter((vp, other) => vp > mine || winners.includes(other)).length;
}

/** Whether somebody lost to a winner with the same VP because of more Madness cards. */
export function isTieBrokenByMadness(points: number[], winners: number[], lines: LogLineView[]): boolean {
    const best = points.map((vp, player) => (winners.includes(player) ? vp : null));
    const tied = points.some((vp, player) => !winners.includes(player) && best.includes(vp));
    return tied && lines.some(({ event }) => event === "madness_counted");
}

/** Names of the bases that a player won, from the log. */
export function listBasesWon(lines: LogLineView[], player: number): string[] {
    return lines
        .filter(({ event }) => event === "place_awarded.first")
        .filter(({ message }) => idsInMessage(message, "player")[0] === player)
        .flatMap(({ message }) =>
            messageParts(message, { lang: "en", translate: (text) => text, names: [] })
                .filter(({ sort }) => sort === "base")
                .map(({ name }) => name),
        );
}

/** The next level of difficulty; null at the top. */
export function strongerLevel(table: TableInfo): Level | null {
    const levels = table.seats.filter(({ kind }) => kind === "bot").map(({ level }) => level as Level);
    const best = Math.max(...levels.map((level) => LEVELS.indexOf(level)));
    return LEVELS[best + 1] ?? null;
}

/** The same table again, with random factions; `level` replaces the difficulty of the bots. */
export function nextGameForm(table: TableInfo, me: number, lang: "en" | "fr", level?: Level): TableForm {
    return {
        seats: table.seats.map((seat) =>
            seat.number === me
                ? { kind: "me", name: seat.name }
                : { kind: "bot", level: level ?? (seat.level as Level), name: seat.name },
        ),
        mode: "random",
        edition: table.edition as NonNullable<TableForm["edition"]>,
        printing: table.printing as NonNullable<TableForm["printing"]>,
        optional_titans: table.optional_titans,
        madness: table.madness,
        spectators: table.spectators,
        undo: table.undo,
        chat: table.chat,
        lang,
    };
}
