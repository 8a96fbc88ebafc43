// The slash commands, in one table: the bot's menu, the console and the help are generated from it.
import { z } from 'zod';
import type { BotCommand } from '../bot-api.ts';
import { cut, findAnswer } from './find-answer.ts';
import { storeNote, undo } from './store-note.ts';
import { quote, createTextPart } from './reply.ts';
import { chooseBrain, deleteLink } from '../store/links.ts';
import type { Turn } from './turn.ts';

type CommandSpec = {
  names: readonly [string, ...string[]];
  /** The possible argument. */
  takes?: string;
  description: string;
  run(turn: Turn, words: string): Promise<void>;
};

const commands: readonly CommandSpec[] = [
  {
    names: ['find', 'search'],
    takes: 'words',
    description: 'Look something up',
    run: async (turn, words) => turn.end(await findAnswer(turn, words)),
  },
  {
    names: ['save'],
    takes: 'words',
    description: 'Note something word for word, even a question',
    async run(turn, words) {
      const content = words || turn.message.reply_to_message?.text?.trim();
      if (!content)
        return turn.end([createTextPart('Write the note after /save, or send /save as a reply to a message.')]);
      await storeNote(turn, content);
    },
  },
  { names: ['undo'], description: 'Undo the last note', run: (turn) => undo(turn) },
  { names: ['recent'], description: 'Show the latest notes', run: showRecent },
  { names: ['brain'], takes: 'name', description: 'Show or choose the brain for your notes', run: showBrains },
  {
    names: ['unlink'],
    description: 'Unlink this chat from your brain',
    run: (turn) =>
      turn.end([createTextPart('This chat is no longer linked. You can link it again in the console.')], (db) =>
        deleteLink(db, turn.link.id),
      ),
  },
  {
    names: ['help', 'start'],
    description: 'Show what this bot can do',
    run: (turn) => turn.end([createTextPart(formatHelp())]),
  },
];

/** The commands as Telegram's menu and the console show them. */
export const commandMenu: readonly (BotCommand & { takes: string | null })[] = commands.map((each) => ({
  command: each.names[0],
  description: each.description,
  takes: each.takes ?? null,
}));

/** The command of a text, with the words after it; null without one. */
export function parseCommand(said: string): { name: string; words: string } | null {
  const [, name, words = ''] = /^\/([a-z0-9_]{1,32})(?:@\w+)?(?:\s+([\s\S]*))?$/i.exec(said.trim()) ?? [];
  return name === undefined ? null : { name: name.toLowerCase(), words: words.trim() };
}

/** Runs a command, and ends the turn. */
export async function runCommand(turn: Turn, { name, words }: { name: string; words: string }): Promise<void> {
  const command = commands.find(({ names }) => names.includes(name));
  if (command) return command.run(turn, words);
  await turn.end([createTextPart(`I do not know /${name}.\n\n${formatHelp()}`)]);
}

/** The abilities of this bot, in words. */
export function formatHelp(): string {
  const lines = commandMenu.map(
    ({ command, takes, description }) => `/${command}${takes ? ` ${takes}` : ''} — ${description}`,
  );
  return [
    'Write a statement and I note it. Ask something and I look it up. If you edit a message, the note changes too.',
    '',
    ...lines,
  ].join('\n');
}

const listed = z.object({ memories: z.array(z.object({ content: z.string(), occurred_at: z.string() })) });

async function showRecent(turn: Turn): Promise<void> {
  const { memories } = listed.parse(await turn.ask('list_memories', { limit: 5 }));
  if (!memories.length) return turn.end([createTextPart('Nothing is noted here yet.')]);
  const lines = memories.flatMap(({ content, occurred_at }) => [
    quote(cut(content)),
    createTextPart(`— ${occurred_at.slice(0, 10)}\n`),
  ]);
  await turn.end(lines);
}

const brains = z.object({
  brains: z.array(z.object({ id: z.string(), name: z.string(), is_personal: z.boolean(), access_level: z.string() })),
});

/** Without a name it shows the present and possible brains for notes; with a name it chooses one. */
async function showBrains(turn: Turn, name: string): Promise<void> {
  const all = brains.parse(await turn.ask('list_brains', {})).brains;
  const writable = all.filter(({ access_level }) => access_level !== 'viewer');
  const lines = writable.map(({ id, name }) => (id === turn.caller.homeBrainId ? `• ${name} (now)` : `• ${name}`));
  const listing = [createTextPart(`Your notes can go to:\n${lines.join('\n')}\n\nChoose one: /brain and its name`)];
  if (!name) return turn.end(listing);
  const wanted = name.toLowerCase();
  const exact = writable.filter((brain) => brain.name.toLowerCase() === wanted);
  const alike = exact.length ? exact : writable.filter((brain) => brain.name.toLowerCase().includes(wanted));
  const [chosen] = alike;
  if (!chosen) return turn.end([createTextPart('You cannot write to a brain with that name.'), ...listing]);
  if (alike.length > 1) {
    return turn.end([
      createTextPart(`Several brains match: ${alike.map((brain) => brain.name).join(', ')}. Write the whole name.`),
    ]);
  }
  await turn.end([createTextPart(`Your notes now go to ${chosen.name}.`)], (db) =>
    chooseBrain(db, turn.link.id, chosen.is_personal ? null : chosen.id),
  );
}
