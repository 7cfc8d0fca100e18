/** The browser's memory. Where it is forbidden or full, this page remembers until it is closed. */

/** What the browser refused to store, as JSON; null for what it refused to remove. */
const unstored = new Map<string, string | null>();

export function readStored<T>(key: string): T | null {
    try {
        const text = unstored.has(key) ? (unstored.get(key) ?? null) : localStorage.getItem(key);
        return text === null ? null : (JSON.parse(text) as T);
    } catch {
        return null;
    }
}

export function writeStored(key: string, value: unknown): void {
    const text = JSON.stringify(value);
    try {
        localStorage.setItem(key, text);
        unstored.delete(key);
    } catch {
        // Private windows may have no memory.
        unstored.set(key, text);
    }
}

export function removeStored(key: string): void {
    try {
        localStorage.removeItem(key);
        unstored.delete(key);
    } catch {
        unstored.set(key, null);
    }
}
