/** What is looked for in the rules, as it stands in the address. */

export function formatRulesQuery(question: string, edition: string | null): string {
    const query = new URLSearchParams();
    if (question.trim() !== "") query.set("q", question.trim());
    if (edition !== null) query.set("edition", edition);
    return query.size > 0 ? `?${query.toString()}` : "";
}
