// The page where a person decides about a client that wants to connect, and their choices.
import { agentLimits } from '#kernel/agent-limits';
import { AppError } from '#kernel/errors';
import { scopeWords, type Scope } from '#kernel/scopes';
import type { ConnectRequest, ConsentOffer } from '#modules/oauth-server';
import { html } from 'hono/html';
import type { Markup } from './page.ts';
import { proofInput, scriptNote } from './proof-script.ts';

const dayMs = 86_400_000;
/** When access ends, as choices in days; 0: when the person ends it. */
const ends: readonly [days: number, label: string][] = [
  [0, 'When I disconnect it'],
  [1, 'After a day'],
  [30, 'After 30 days'],
  [90, 'After 90 days'],
  [365, 'After a year'],
];

type ConsentFormData = {
  request: ConnectRequest;
  offer: ConsentOffer;
  toolsets: readonly string[];
  person: string;
  form: { action: string; csrf: string; userCode: string | null; proof: string };
  problem: string | undefined;
};

export function renderConsentForm({ request, offer, toolsets, person, form, problem }: ConsentFormData): Markup {
  const { userCode } = form;
  return html` ${problem ? html`<p class="note bad" role="alert">${problem}</p>` : ''}
    <p>
      A client that calls itself <strong>${request.clientName}</strong> asks to work for you, ${person}, in the
      workspace <strong>${offer.workspace}</strong>.
    </p>
    ${renderClientHosts(request, userCode)}
    <form method="post" action="${form.action}">
      <input type="hidden" name="csrf" value="${form.csrf}" />${proofInput}${scriptNote}
      <input type="hidden" name="description" value="${request.descriptionHash}" />
      ${userCode === null ? '' : html`<input type="hidden" name="user_code" value="${userCode}" />`}
      <fieldset>
        <legend>It may</legend>
        <div class="ticks">${offer.usual.map((scope) => renderScopeTick(scope, true))}</div>
      </fieldset>
      ${renderAdditionalFields(offer)} ${offer.stepUp.length ? renderStepUpFields(offer, form.proof) : ''}
      ${renderBrainFields(offer)} ${limitField()} ${renderToolsetFields(toolsets)}
      <label for="end">Access ends</label>
      <select id="end" name="end">
        ${ends.map(([days, label]) => html`<option value="${days}">${label}</option>`)}
      </select>
      <p class="small">
        It cannot approve drafts, make keys, or change rules. You can disconnect it at any time under Agents.
      </p>
      <button name="answer" value="allow">Allow</button>
      <button class="second" name="answer" value="decline">Decline</button>
    </form>`;
}

/** Verified facts are shown separately from the client's own claims. */
function renderClientHosts({ clientHost, documentHost }: ConnectRequest, userCode: string | null): Markup {
  const described = documentHost
    ? html`<li>Its description was read from <strong>${documentHost}</strong>.</li>`
    : html`<li>It registered itself. Nobody checked its name.</li>`;
  if (userCode !== null)
    return html`<div class="note">
      <p>
        It runs on another device, which shows the code <strong>${userCode}</strong>. Allow it only if you see this code
        there, and started it yourself.
      </p>
      <ul>
        ${described}
      </ul>
    </div>`;
  if (clientHost !== null)
    return html`<ul>
      <li>Access goes to <strong>${clientHost}</strong>.</li>
      ${described}
    </ul>`;
  return html`<div class="note">
    <p>
      It is a program on your computer. Any program there could ask under this name. Allow it only if you started it
      just now.
    </p>
    <ul>
      ${described}
    </ul>
  </div>`;
}

function renderScopeTick(scope: Scope, isTicked: boolean): Markup {
  return html`<label class="tick">
    <input type="checkbox" name="scope" value="${scope}" ${isTicked ? 'checked' : ''} />
    <span>${scopeWords[scope]}</span>
  </label>`;
}

/** Offered to every client, because a client's plugin needs them and the client itself does not request them. */
function renderAdditionalFields({ additional }: ConsentOffer): Markup {
  if (!additional.length) return html``;
  return html`<fieldset>
    <legend>You can also allow it to<span class="about">Hooks and plugins of the client need this.</span></legend>
    ${additional.map((scope) => renderScopeTick(scope, false))}
  </fieldset>`;
}

/** Scopes that change what others see, or delete, need a person who has just proved who they are. */
function renderStepUpFields({ stepUp, isFresh }: ConsentOffer, proof: string): Markup {
  return html`<fieldset ${isFresh ? '' : 'disabled'}>
      <legend>It also asks to<span class="about">Tick only what you need it for.</span></legend>
      ${stepUp.map((scope) => renderScopeTick(scope, false))}
    </fieldset>
    ${
      isFresh
        ? ''
        : html`<p class="note">To allow these, confirm that it is you first. <a href="${proof}">Confirm</a></p>`
    }`;
}

function limitField(): Markup {
  return html`<label for="limit">It may draft</label>
    <select id="limit" name="limit">
      ${agentLimits.map(({ id, label }) => html`<option value="${id}">${label}</option>`)}
    </select>`;
}

function renderBrainFields({ brains }: ConsentOffer): Markup {
  return html`<label for="brain">It writes to</label>
    <select id="brain" name="brain">
      ${brains.map(({ id, name, isHome }) => html`<option value="${id}" ${isHome ? 'selected' : ''}>${name}</option>`)}
    </select>
    <label for="reach">It reads</label>
    <select id="reach" name="reach">
      <option value="owner">Every brain that you can read</option>
      <option value="brain">That brain, and the brains above it</option>
    </select>`;
}

function renderToolsetFields(toolsets: readonly string[]): Markup {
  return html`<details>
    <summary>Tools</summary>
    <div class="ticks">
      ${toolsets.map(
        (toolset) =>
          html`<label class="tick">
            <input type="checkbox" name="toolset" value="${toolset}" checked /><span
              >${toolset.replaceAll('_', ' ')}</span
            >
          </label>`,
      )}
    </div>
  </details>`;
}

type Form = Record<string, unknown>;

/**
 * The person's choices. Granting checks whether each was offered. Throws `invalid_input` for values that no form sends.
 */
export function parseConsentChoice(form: Form, { toolsets, now }: { toolsets: readonly string[]; now: Date }) {
  const chosen = listFormValues(form, 'toolset').filter((toolset) => toolsets.includes(toolset));
  if (!chosen.length) throw new AppError('invalid_input', 'Tick at least one group of tools.');
  const days = ends.find(([each]) => String(each) === form['end'])?.[0];
  if (days === undefined) throw new AppError('invalid_input', 'Choose when access ends.');
  const limit = agentLimits.find(({ id }) => id === form['limit']);
  if (!limit) throw new AppError('invalid_input', 'Choose what it may draft.');
  return {
    scopes: listFormValues(form, 'scope'),
    homeBrainId: String(form['brain']),
    reach: form['reach'] === 'brain' ? ('brain' as const) : ('owner' as const),
    toolsets: chosen.length === toolsets.length ? null : chosen,
    rules: limit.rules,
    expiresAt: days ? new Date(now.getTime() + days * dayMs) : null,
  };
}

function listFormValues(form: Form, name: string): string[] {
  return [form[name] ?? []].flat().filter((value): value is string => typeof value === 'string');
}
