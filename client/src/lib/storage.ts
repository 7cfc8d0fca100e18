/** The browser's memory. Where it is forbidden or broken, nothing is remembered and nothing fails. */

export function readStored<T>(key: string): T | null {
    try {
        const text = localStorage.getItem(key);
        return text === null ? null : (JSON.parse(text) as T);
    } catch {
        return null;
    }
}

export function writeStored(key: string, value: unknown): void {
    try {
        localStorage.setItem(key, JSON.stringify(value));
    } catch {
        // Private windows may have no memory.
    }
}

export function removeStored(key: string): void {
    try {
        localStorage.removeItem(key);
    } catch {
        // As above.
    }
}
