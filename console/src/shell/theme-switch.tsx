import { Monitor, Moon, Sun } from 'lucide-react';
import { joinClassNames } from '../design/class-names.ts';
import { useTheme, type Theme } from './theme.ts';

const themes = [
  { theme: 'system', label: 'System', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
] as const satisfies readonly { theme: Theme; label: string; icon: unknown }[];

/** Light, dark, or as the system. */
export function ThemeSwitch() {
  const [chosen, choose] = useTheme();
  return (
    <div role="group" aria-label="Theme" className="flex w-fit rounded-lg border border-line bg-sunken p-0.5">
      {themes.map(({ theme, label, icon: Icon }) => (
        <button
          key={theme}
          aria-label={label}
          title={label}
          aria-pressed={theme === chosen}
          onClick={() => choose(theme)}
          className={joinClassNames(
            'grid size-7 place-items-center rounded-md transition-colors',
            theme === chosen ? 'bg-surface text-ink shadow-card' : 'text-faint hover:text-ink',
          )}
        >
          <Icon className="size-3.5" aria-hidden />
        </button>
      ))}
    </div>
  );
}
