import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { meQuery, type Me } from '../../entities/me.ts';
import { updateProfile } from './sign-in-requests.ts';
import { useCall } from '../../design/use-call.ts';

/** The name of the person. A session opened by a key's link cannot change it. */
export function ProfileSection() {
  const { data: me } = useQuery(meQuery);
  if (!me?.caller.is_human_surface) return null;
  return (
    <Section title="Profile">
      <Card className="p-5">
        <NameForm key={me.person.name} me={me} />
      </Card>
    </Section>
  );
}

function NameForm({ me }: { me: Me }) {
  const queryClient = useQueryClient();
  const renaming = useCall((name: string) => updateProfile({ name }), {
    success: 'Saved',
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['accounts', 'me'] }),
        queryClient.invalidateQueries({ queryKey: ['people'] }),
      ]),
    failure: 'Not saved',
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    renaming.call(String(new FormData(event.currentTarget).get('name') ?? '').trim());
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <div className="min-w-60 flex-1">
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          required
          maxLength={120}
          defaultValue={me.person.name}
        />
      </div>
      <Button look="primary" type="submit" isBusy={renaming.isBusy}>
        Save
      </Button>
    </form>
  );
}
