// What the editor offers at a place of the source.
import type { Completion } from '@codemirror/autocomplete';
import type { Automation } from './requests.ts';
import type { Member, Sdk, Tool } from './sdk.ts';

type CompletionScope = {
  sdk: Sdk;
  variables: readonly Member[];
  language: Automation['language'];
  isExplicit: boolean;
};
type CompletionOffer = { options: Completion[]; /** How much of the text before is replaced. */ typed: number };

/** Tools after `brains.`, fields in the input of a tool, variables and helpers after `env.`. Null: nothing. */
export function findCompletions(before: string, known: CompletionScope): CompletionOffer | null {
  const { sdk, variables, language, isExplicit } = known;
  const typed = /\w*$/.exec(before)?.[0].length ?? 0;
  const place = before.slice(0, before.length - typed);
  const isPython = language === 'python';
  if (/\bbrains\.$/.test(place)) return { typed, options: sdk.tools.map((tool) => toCallCompletion(tool, isPython)) };
  if (/\benv\.helpers\.$/.test(place))
    return { typed, options: sdk.helpers.map((each) => toMemberCompletion(each, 'function')) };
  if (/\benv\.$/.test(place)) {
    const helpers = { name: 'helpers', type: 'Helpers', info: 'Functions for signatures and encodings.' };
    return { typed, options: [...variables, helpers].map((each) => toMemberCompletion(each, 'variable')) };
  }
  const tool = typed || isExplicit ? findToolAtInput(place, sdk, isPython) : undefined;
  if (!tool) return null;
  return { typed, options: tool.fields.map((each) => toMemberCompletion(each, 'property', isPython ? '=' : ': ')) };
}

function toCallCompletion({ name, summary }: Tool, isPython: boolean): Completion {
  return { label: name, type: 'function', info: summary, apply: isPython ? `${name}()` : `${name}({  })` };
}

function toMemberCompletion({ name, type, info }: Member, kind: string, after = ''): Completion {
  return { label: name, type: kind, detail: type, ...(info && { info }), ...(after && { apply: `${name}${after}` }) };
}

/** The tool whose input begins before this place, where the name of a field may stand here. */
function findToolAtInput(place: string, { tools }: Sdk, isPython: boolean): Tool | undefined {
  const bare = place.replaceAll(/(["'`])(?:\\.|(?!\1)[\s\S])*\1/g, '""');
  const call = [...bare.matchAll(/\bbrains\.(\w+)\(/g)].at(-1);
  if (!call) return undefined;
  const input = bare.slice(call.index + call[0].length);
  const depth = input.split(/[{[(]/).length - input.split(/[}\])]/).length;
  const isField = isPython ? depth === 0 && /(^|,)\s*$/.test(input) : depth === 1 && /[{,]\s*$/.test(input);
  return isField ? tools.find(({ name }) => name === call[1]) : undefined;
}
