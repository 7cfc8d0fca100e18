/** French spelling that depends on neighboring words and numbers, the same way as `smashup/locale/french.py`. */

const ELIDED_WORD = /(^|[^\p{L}\p{N}’-])((?:[djmnst]|(?:jus|lors|puis|quoi)?qu)e|l[ea]) $/iu;
const VOWEL_SOUND =
    /^(?!(?:one|once|onz\p{L}+|oui)(?!\p{L}))(?:[aeiouàâäéèêëîïôöùûüœæ]|y(?![aeiouy])\p{L})/iu;

/** The text before a name, with its last word elided: “la main d’” before Ana. */
export function elide(before: string, name: string): string {
    if (!VOWEL_SOUND.test(name) || !ELIDED_WORD.test(before)) return before;
    return `${before.slice(0, -2)}’`;
}

/** A number with French marks: “−1,5”. */
export function writeNumber(value: number): string {
    return String(value).replace(".", ",").replace("-", "−");
}
