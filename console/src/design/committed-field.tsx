import { useState, type ComponentProps } from 'react';
import { TextField } from './field.tsx';

type Props = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'onBlur' | 'onKeyDown'> & {
  value: string;
  onCommit: (value: string) => void;
};

/** A text field that reports its value on Enter or blur, so that an incomplete date is not used. */
export function CommittedField({ value, onCommit, ...rest }: Props) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // The address changed from outside (back button, a link): the field follows.
  if (value !== known) {
    setKnown(value);
    setText(value);
  }
  const commit = () => text.trim() !== value && onCommit(text.trim());
  return (
    <TextField
      {...rest}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}
