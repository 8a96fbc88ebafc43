import { autocompletion, closeBrackets, type CompletionContext } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { python } from '@codemirror/lang-python';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { findCompletions } from './completions.ts';
import type { Automation } from './requests.ts';
import type { Member, Sdk } from './sdk.ts';

type Props = {
  value: string;
  language: Automation['language'];
  sdk: Sdk;
  variables: readonly Member[];
  isReadOnly: boolean;
  onChange: (value: string) => void;
};

/** The console's own colours, which change with its theme. */
const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--color-go)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--color-wait)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--color-stop)' },
  { tag: tags.comment, color: 'var(--color-faint)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.propertyName], color: 'var(--color-soft)' },
]);
const theme = EditorView.theme({
  '&': { fontSize: '13px', maxHeight: '32rem', color: 'var(--color-ink)' },
  '.cm-scroller': { overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--color-ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--color-sunken)',
    color: 'var(--color-faint)',
    borderColor: 'var(--color-line)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--color-mark) !important' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--color-raised)',
    color: 'var(--color-ink)',
    border: '1px solid var(--color-edge)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--color-go-wash)',
    color: 'var(--color-ink)',
  },
});

/** An editor with completion for the SDK. `value` is the initial text. */
export function SourceEditor({ value, language, sdk, variables, isReadOnly, onChange }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef({ value, sdk, variables, onChange });
  latest.current = { ...latest.current, sdk, variables, onChange };
  useEffect(() => {
    if (!place.current) return;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          lineNumbers(),
          history(),
          bracketMatching(),
          closeBrackets(),
          language === 'python' ? python() : javascript({ typescript: language === 'typescript' }),
          syntaxHighlighting(highlighting),
          autocompletion({ override: [(context) => provideCompletions(context, { ...latest.current, language })] }),
          keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': 'Source' }),
          EditorView.updateListener.of(
            ({ docChanged, state }) => docChanged && latest.current.onChange(state.doc.toString()),
          ),
          theme,
        ],
      }),
    });
    view.scrollDOM.tabIndex = 0; // so that a keyboard can scroll it
    return () => view.destroy();
  }, [isReadOnly, language]);
  return <div ref={place} />;
}

function provideCompletions(context: CompletionContext, known: Pick<Props, 'sdk' | 'variables' | 'language'>) {
  const before = context.state.sliceDoc(0, context.pos);
  const offer = findCompletions(before, { ...known, isExplicit: context.explicit });
  return offer && { from: context.pos - offer.typed, options: offer.options };
}
