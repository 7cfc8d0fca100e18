/** What is shown when a card is looked at closely: its face, and how it stands at this table. */

import type { ZoomContent } from "../../cards/zoom/zoom.svelte";
import { formatSigned } from "../../lib/format-number";
import { t } from "../../lib/i18n.svelte";
import type { BaseView, Face, InPlay, Part, Sentence } from "../../protocol";

type RenderText = (sentence: Sentence) => string;

/** A card wherever it is; null if it may not be seen. */
export function zoomFace(face: Face | null): ZoomContent | null {
    if (face?.name === undefined) return null;
    const look: ZoomContent = { name: face.name, type: face.type ?? "", text: face.text ?? "" };
    if (face.printed_power !== undefined) {
        look.printedPower = face.printed_power;
        look.power = face.printed_power;
    }
    if (face.type === "base") {
        look.breakpoint = look.printedBreakpoint = face.printed_breakpoint ?? 0;
        look.vp = face.vp ?? [];
    }
    return look;
}

/** A card in play: where its power comes from, and what lies on it. */
export function zoomPlayedCard(card: InPlay, messageText: RenderText): ZoomContent | null {
    const look = zoomFace(card);
    if (!look) return null;
    if (card.power !== undefined) look.power = card.power;
    look.owner = card.controller;
    look.counters = card.counters ?? 0;
    look.attached = (card.actions ?? []).flatMap(({ name }) => name ?? []);
    look.parts = sumOf(card.power_parts, messageText);
    if (card.withheld) look.notes = [t("Its power does not count here.")];
    return look;
}

/** A base in play: where its breakpoint comes from, and power that no card shows. */
export function zoomBase(
    base: BaseView,
    messageText: RenderText,
    nameOf: (player: number) => string,
): ZoomContent | null {
    const look = zoomFace(base);
    if (!look) return null;
    look.breakpoint = base.breakpoint;
    const changed = (base.breakpoint_parts ?? []).length > 1;
    look.notes = [
        ...(changed
            ? [
                  t("Breakpoint: {sum}", {
                      sum: base.breakpoint_parts
                          .map((part) => `${messageText(part.label)} ${formatSigned(part.amount)}`)
                          .join(", "),
                  }),
              ]
            : []),
        ...(base.side_power ?? []).flatMap(({ player, parts }) =>
            parts.map((part) =>
                t("{name}: {sum}", {
                    name: nameOf(player),
                    sum: `${messageText(part.label)} ${formatSigned(part.amount)}`,
                }),
            ),
        ),
    ];
    return look;
}

function sumOf(parts: Part[] | undefined, messageText: RenderText): { label: string; amount: number }[] {
    return (parts ?? []).map(({ label, amount }) => ({ label: messageText(label), amount }));
}
