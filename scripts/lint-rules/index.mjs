/** Our own lint rules, as an oxlint plugin. See .oxlintrc.json for the files that each applies to. */
import { consoleLayers } from './console-layers.mjs';
import { floorsInModules } from './floors.mjs';
import { layers } from './layers.mjs';
import { linearRegexps } from './linear-regexps.mjs';
import { linearTime } from './linear-time.mjs';
import { names } from './names.mjs';
import { noCallerKinds } from './no-caller-kinds.mjs';
import { noMocks } from './no-mocks.mjs';
import { noProcessEnv } from './no-process-env.mjs';
import { noRawNetwork } from './no-raw-network.mjs';
import { noSilentSleep } from './no-silent-sleep.mjs';
import { ownTables } from './own-tables.mjs';
import { plainWords } from './plain-words.mjs';

// oxlint takes a plugin from the default export: the one exception to named exports.
export default {
  meta: { name: 'thalamus' },
  rules: {
    floors: floorsInModules,
    'console-layers': consoleLayers,
    layers,
    'linear-regexps': linearRegexps,
    'linear-time': linearTime,
    'no-caller-kinds': noCallerKinds,
    names,
    'no-mocks': noMocks,
    'no-process-env': noProcessEnv,
    'no-raw-network': noRawNetwork,
    'no-silent-sleep': noSilentSleep,
    'own-tables': ownTables,
    'plain-words': plainWords,
  },
};
