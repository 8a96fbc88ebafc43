/** The skeleton of a new automation, without the parts that exist already. */
const skeleton = `import { brains } from "https://brains/sdks/automation-sdk-v1.ts";

const board = await brains.get_board({ name: "CRM" });
const known = new Set(board.data.datasets.default.rows.map((row) => row.email_id));

const fresh = (await brains.search({ q: "…", type: "email", limit: 50 })).filter((page) => !known.has(page.id));
if (!fresh.length) return;

await brains.append_board_rows({
  board_id: board.id,
  rows: fresh.map((page) => ({ email_id: page.id, subject: page.title })),
  dedupe_key_field: "email_id",
});`;

/** The steps, one question at a time. */
export function buildPlaybook(purpose: string | null): string {
  const opening = purpose
    ? `The purpose is known: ${JSON.stringify(purpose)}. Do not ask for it again.`
    : 'Ask for the purpose of the automation, in one sentence.';
  return `Make an automation with the person. Ask one question at a time, and wait for each answer.

0. ${opening}
1. Trigger. Ask when it runs: a schedule (cron with an IANA time zone), new pages (page_ingested), a change of a board (board_change), a POST to a secret address of its own (webhook; the person makes the address on its page), or by hand.
2. Reads. Ask what it reads, and name the tools for it: get_board, search, query, list_pages, http_fetch, fetch_from_integration.
3. Writes. Ask what it writes. For every append to a board ask which field is the stable id of the source (dedupe_key_field), and which list field of the rows it goes into, if any (dedupe_target_field). Do not go on without it: a run that is repeated would write everything twice.
4. Grants. List the tools it needs and nothing more, with params where they can be narrowed: {tool: "append_board_rows", params: {board_id}}. For http_fetch name the bare hosts, and have the person acknowledge them. For a search service asked by POST add params {reads: [{method: "POST", url}]}; the person accepts it by activating on the page.
4.5. Overlap. Call find_overlapping_automations with the boards. If one writes the same way, offer to extend it by update_automation. To keep both, the person acknowledges that, with a note why they get along.
5. Caps. Offer the defaults: 1 US dollar a day, 60 seconds, 200,000 tokens a run. Write policy: offer always_draft, where a person decides about everything that leaves. Warn before auto_confirm_safe: the automation then confirms what is in the safe set by itself, such as a message to the person's own phone.
6. Source. Write it in TypeScript, or in Python if the person would rather read that (language: "python"; await brains.tool(field=value), args["trigger"], env["NAME"], await fetch(url), and await and return at the top likewise). Begin with this skeleton, show it, and change it until the person agrees. Secrets stand in it as {{name}}; automation_secret_set or create_variable_link answers a page on which the person stores them, never in this chat. Store them before the person activates it: names are bound then.

${skeleton}

7. Save it by save_automation_draft: it is paused. Then call run_automation_once (dry_run is the default), show what it wrote and what estimate_automation_cost says it costs a month, and give the person its admin_url. Offer to keep a good dry run as a fixture (save_automation_fixture). They activate it there.`;
}
