// Infers a memory's type and salience from its text. The rules are few and readable; no model is used.
import type { MemoryType, Salience } from '../memory-fields.ts';

type Rule<Value> = { value: Value; says: RegExp };

const decided = String.raw`decided|chose|chosen|agreed|settled on|opted|picked|selected|approved|rejected|ruled out|concluded|resolved to|voted|committed to|signed off`;
const people = String.raw`we|i|you|he|she|they|team|board|committee|council|management|group|everyone|all|both|company|client|customer`;

/** Words that show the type. The first matching rule wins, so that the more specific ones come first. */
const typeRules: readonly Rule<MemoryType>[] = [
  {
    value: 'constraint',
    says: /^(rule|constraint|policy|requirement)s?:|(^|[.!;:]\s+)(please )?(never|always|do not|don['’]t|under no circumstances|no (one|more than))\b/i,
  },
  {
    value: 'decision',
    says: new RegExp(
      String.raw`^(decision|decided|agreed|approved|chose|picked|settled)\b|\b(${people})\b(['’]ve| have| has| had| all| both| then| finally| also| just| unanimously)* (${decided})\b|\b(was|were|is|are|has been|have been|been|got) (finally |unanimously |just )?(${decided})\b|\b(the|our|final) decision\b`,
      'i',
    ),
  },
  {
    value: 'decision',
    says: /\b(we|i)(['’]re| are|['’]m| am) (going with|switching|moving to|dropping|adopting|standardi[sz]ing on)\b|\b(we|i)(['’]ll| will) (use|go with|adopt|drop|keep|switch|stick with|move to)\b|\blet['’]s (use|go with|drop|keep|stick with)\b|\b(we|they) (switched|moved|migrated) (to|from|away)\b/i,
  },
  {
    value: 'preference',
    says: /\b(prefer(s|red|ence)?|dislikes?|loves?|hates?|enjoys?|favou?rites?|would rather|rather not|can['’]t stand|fond of|would (like|love)|['’]d (like|love|rather))\b|(?<!\d |\bno |\bof |\blooks |\bfeels |\bsounds )\blikes\b|\b(i|we|you|they) (really |do not |don['’]t )?(like|want)\b|\bwants (their|her|his|its|to be|all|every|no)\b/i,
  },
  {
    value: 'constraint',
    says: /\b(must(?! have \w+(ed|en|ne|ft|st)\b)|mustn['’]t|shall|may not|may only|can only|cannot exceed|has to|have to|(is|are) (required|mandatory|obligatory|forbidden|prohibited|banned|off limits)|required (to|by|for)|not (allowed|permitted)|needs? (approval|sign-off|permission)|only (if|when|after|with)|at (most|least)|no (more|less|fewer|later) than|up to \d|maximum|minimum|limit(ed)? (to|of|is)|deadline|under no circumstances|(?<!\b(has|have|had|was|were|is|are) )(never|always)|without (approval|permission|consent))\b/i,
  },
  {
    value: 'observation',
    says: /\b(notic(ed|ing)|observed?|seems?|seemed|appears? (to|that|as)|looks like|look like|saw|spotted|felt|feels|trend(s|ing)?|suspect(ed|s)?|probably|apparently|perhaps|maybe|tends? to|tended to|turns out|turned out|found (that|out)|we measured|it took|keeps? \w+ing|lately|sometimes|often|usually|surpris(ed|ing|ingly)|so far|each time|whenever)\b/i,
  },
];

/** Words that show a higher salience. The first matching rule wins. */
const salienceRules: readonly Rule<Salience>[] = [
  {
    value: 'critical',
    says: /\b(critical(ly)?|under no circumstances|data loss|outage|urgent(ly)?|emergency|irreversibl[ey]|breaking change|vulnerabilit(y|ies)|breach(es|ed)?|compromised|leaked|ransomware|lawsuit|legally|compliance|gdpr|hipaa|pci|allerg(y|ies|ic)|life[- ]threatening|at all costs|production (is|was|went) down)\b/i,
  },
  {
    value: 'critical',
    says: /(^|[.!;:]\s+)(please )?never\b|\b(must|should|may|shall|can) never\b|\b(security|legal) (issue|incident|risk|hole|rule|requirement|obligation|reasons?|policy|review)\b|\bmust(n['’]t| not) (share|expose|leak|log|store|delete|sell|disclose)\b/i,
  },
  {
    value: 'elevated',
    says: new RegExp(
      String.raw`\b(important(ly)?|must(?! have \w+(ed|en|ne|ft|st)\b)|mandatory|deadline|due (on|by|in)|no later than|priority|blocked|blocker|blocks|risks?|risky|at risk|milestone|launch(es|ing)?|go-live|root cause|lesson|remember|cannot|required|approval|renewal|budget is|contract (ends|expires|renews)|key (decision|customer|account|risk|point|result|requirement|reason))\b|\b(${people})\b(['’]ve| have| has| had| all| both| then| finally| also| just| unanimously)* (${decided})\b|^(decision|decided|agreed|approved)\b|(^|[.!;:]\s+)(please )?(always|do not|don['’]t)\b`,
      'i',
    ),
  },
];

/** The type by the words of a text; by default a fact. */
export function inferType(content: string): MemoryType {
  return findFirstMatch(typeRules, content) ?? 'fact';
}

/** The salience by the words of a text. */
export function inferSalience(content: string): Salience {
  return findFirstMatch(salienceRules, content) ?? 'normal';
}

function findFirstMatch<Value>(rules: readonly Rule<Value>[], content: string): Value | undefined {
  return rules.find((rule) => rule.says.test(content))?.value;
}
