/** The rules in the language of the settings, fetched on first use. */

import { SvelteMap } from "svelte/reactivity";

import { api, errorMessage } from "../../lib/api";
import { settings, type Lang } from "../../lib/settings.svelte";
import { gameText } from "../../lib/i18n.svelte";
import type { DecisionView, LogLineView, Rule, Rulebook, Sentence } from "../../protocol";

class Book {
    readonly #kept = new SvelteMap<Lang, Rulebook>();
    readonly #asked = new Set<Lang>();
    /** Why there is no reference, if so. */
    problem = $state.raw<Sentence | null>(null);

    /** The reference; null while it is on its way. */
    now = $derived.by(() => this.#kept.get(settings.lang) ?? null);
    readonly #byId = $derived.by(
        () =>
            new Map((this.now?.chapters ?? []).flatMap(({ rules }) => rules.map((rule) => [rule.id, rule]))),
    );

    /** See to it that the reference is there. */
    async open(lang: Lang = settings.lang): Promise<void> {
        if (this.#asked.has(lang)) return;
        this.#asked.add(lang);
        this.problem = null;
        try {
            this.#kept.set(lang, await api.rulebook(lang));
        } catch (error) {
            this.#asked.delete(lang);
            this.problem = errorMessage(error);
        }
    }

    rule(id: string): Rule | null {
        return this.#byId.get(id) ?? null;
    }

    /** What a link in a text is called: the title of a rule, the name of a card. */
    called = (target: string): string =>
        target.startsWith("card:")
            ? gameText(target.slice("card:".length))
            : (this.rule(target)?.title ?? target);

    /** The rules behind a decision, the closest first. */
    behindDecision(decision: Pick<DecisionView, "purpose" | "source">): Rule[] {
        return this.now === null ? [] : this.#rules(idsBehindDecision(this.now, decision));
    }

    /** The rules behind a line of the log, the closest first. */
    behindLine(line: LogLineView): Rule[] {
        return this.now === null ? [] : this.#rules(this.now.events[line.event] ?? this.now.otherwise);
    }

    #rules(ids: string[]): Rule[] {
        return ids.flatMap((id) => this.rule(id) ?? []);
    }
}

/** The same way as `smashup/rules/index.py`. */
export function idsBehindDecision(
    book: Pick<Rulebook, "purposes" | "cards">,
    { purpose, source }: Pick<DecisionView, "purpose" | "source">,
): string[] {
    if (purpose === undefined) return [];
    return book.cards[source?.name ?? ""]?.[purpose] ?? book.purposes[purpose] ?? [];
}

export const rulebook = new Book();
