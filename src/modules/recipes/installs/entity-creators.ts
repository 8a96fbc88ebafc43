// What each kind of recipe makes: one row for each kind, by the function that makes the same by hand.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { formatNumberedName } from '#kernel/recovery';
import { hasAutomationNamed, saveAutomation, type SaveDeps } from '#modules/automations';
import { createBoardIn, findBoardsByName } from '#modules/boards';
import { saveWorkflow } from '#modules/workflows';
import type { EntityInput, EntityKind } from '../manifest/render-entity.ts';

/** Where something is made, and under which name. */
export type EntityPlace = {
  brainId: string;
  name: string;
  /** The installer chose the name. Another one gets a number where it is taken. */
  isNameChosen: boolean;
};

export type CreatedEntity = { id: string; name: string };

export type MadeKind = Exclude<EntityKind, 'reading'>;

type EntityCreator<Kind extends MadeKind> = {
  create(ctx: Context, input: EntityInput<Kind>, place: EntityPlace, deps: SaveDeps): Promise<CreatedEntity>;
};

type EntityCreators = { [Kind in MadeKind]: EntityCreator<Kind> };

/** How each kind is made. A declarative integration and a bundle make nothing beside their install. */
export const entityCreators: EntityCreators = {
  board: {
    async create(ctx, input, { brainId, ...named }) {
      const name = await findFreeName(named, async (each) => {
        return (await findBoardsByName(ctx.db, [brainId], each)).length > 0;
      });
      return createBoardIn(ctx, { ...input, name, brain_id: brainId });
    },
  },
  automation: {
    async create(ctx, input, { brainId, ...named }, deps) {
      checkReach(ctx);
      const name = await findFreeName(named, (each) => hasAutomationNamed(ctx.db, ctx.caller.personId, each));
      const { automation_id } = await saveAutomation(ctx, { ...input, name }, deps, { brainId });
      return { id: automation_id, name };
    },
  },
  workflow: {
    async create(ctx, input, { brainId, name }, deps) {
      const automations = [];
      for (const each of input.automations) {
        const free = await findFreeName({ name: each.name, isNameChosen: false }, (one) =>
          hasAutomationNamed(ctx.db, ctx.caller.personId, one),
        );
        automations.push({ ...each, name: free });
      }
      const id = await saveWorkflow(ctx, { ...input, automations, title: name, brain_id: brainId }, deps);
      return { id, name };
    },
  },
};

/** Automations act for a person, so a key of one brain makes none. */
function checkReach({ caller }: Context): void {
  if (caller.reach === 'owner') return;
  throw new AppError('forbidden', 'This recipe makes an automation. Use a key that reaches all brains of its person.');
}

const mostNumbers = 100;
const longestName = 200;

/** The name, or, where it is taken and nobody chose it, the name with the next free number. */
async function findFreeName(
  { name, isNameChosen }: Pick<EntityPlace, 'name' | 'isNameChosen'>,
  isTaken: (name: string) => Promise<boolean>,
): Promise<string> {
  if (isNameChosen) return name;
  for (let number = 1; number <= mostNumbers; number += 1) {
    const numbered = number === 1 ? name : formatNumberedName(name, number, longestName);
    if (!(await isTaken(numbered))) return numbered;
  }
  throw new AppError('conflict', `There are ${mostNumbers} called ${name}. Choose a name by overrides.`);
}
