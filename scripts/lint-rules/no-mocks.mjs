import { isMember } from './syntax.mjs';

const mocking = ['mock', 'doMock', 'importMock', 'mocked', 'spyOn', 'stubGlobal', 'useFakeTimers'];

/**
 * Nothing is mocked: a test runs against the real part or an emulator.
 * @type {import('./syntax.mjs').Rule}
 */
export const noMocks = {
  create(context) {
    return {
      MemberExpression(node) {
        const used = mocking.find((name) => isMember(node, 'vi', name));
        const message = `No vi.${used}: use the real part, or an emulator of emulators/ on a real port.`;
        if (used) context.report({ node, message });
      },
    };
  },
};
