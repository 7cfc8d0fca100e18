/** The reference in the language of the settings, fetched when somebody first asks for a rule. */

import { SvelteMap } from "svelte/reactivity";

import { api, reasonOf } from "../../lib/api";
import { settings, type Lang } from "../../lib/settings.svelte";
import { word } from "../../lib/words.svelte";
import type { Rule, Rulebook, Sentence } from "../../protocol";
import { bareQuestion } from "../../table/sentences";

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
            this.problem = reasonOf(error);
        }
    }

    rule(id: string): Rule | null {
        return this.#byId.get(id) ?? null;
    }

    /** What a link in a text is called: the title of a rule, the name of a card. */
    called = (target: string): string =>
        target.startsWith("card:")
            ? word(target.slice("card:".length))
            : (this.rule(target)?.title ?? target);

    /** The rules that a prompt or a line of the log rests on, the closest first. */
    behind(message: Sentence): Rule[] {
        const book = this.now;
        if (book === null) return [];
        return idsBehind(book, bareQuestion(message).text).flatMap((id) => this.rule(id) ?? []);
    }
}

/** The same way as `smashup/rules/index.py`. */
export function idsBehind(book: Pick<Rulebook, "texts" | "patterns" | "otherwise">, text: string): string[] {
    const known = book.texts[text];
    if (known !== undefined) return known;
    return book.patterns.find(({ words }) => new RegExp(words).test(text))?.rules ?? book.otherwise;
}

export const rulebook = new Book();
