type Path = { isCallExpression(): boolean; node: { callee?: { name?: string } } }

/** A plugin of Stryker. Statements are not mutated: no test can miss that they are empty, and each costs a run of all. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'statements',
    value: {
      shouldIgnore: (path: Path): string | undefined =>
        path.isCallExpression() && path.node.callee?.name === 'sql' ? 'a statement' : undefined,
    },
  },
]
