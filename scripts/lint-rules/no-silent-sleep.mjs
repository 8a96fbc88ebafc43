const longestMs = 200;
const sleeping = ['sleep', 'wait', 'setTimeout', 'waitForTimeout'];

/**
 * A test that waits in real time for longer than 200 ms says why, in a comment on that line or the one before.
 * @type {import('./syntax.mjs').Rule}
 */
export const noSilentSleep = {
  create(context) {
    return {
      CallExpression(node) {
        const { callee } = node;
        const isOfTest =
          callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'test';
        const named = callee.type === 'MemberExpression' && !isOfTest ? callee.property : callee;
        if (named.type !== 'Identifier' || !sleeping.includes(named.name)) return;
        const waits = node.arguments
          .slice(0, 2)
          .some((each) => each.type === 'Literal' && typeof each.value === 'number' && each.value > longestMs);
        if (!waits) return;
        const { line } = node.loc.start;
        const isSaid = context.sourceCode
          .getAllComments()
          .some(({ loc }) => loc.end.line === line || loc.end.line === line - 1);
        const message = `Waiting longer than ${longestMs} ms: pass the time by hand (tests/support/time-passes.ts), wait for an event, or say why in a comment.`;
        if (!isSaid) context.report({ node, message });
      },
    };
  },
};
