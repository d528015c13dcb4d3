import type { ProductEdit } from '#tests/cluster/cluster-mutants.ts'

/** Faults of the product that the fuzzing has to find. */
export const FUZZ_MUTANTS: Readonly<Record<string, readonly ProductEdit[]>> = {
  'a-handler-throws-on-one-odd-value': [
    {
      file: 'server/platform/http/parse.ts',
      find: '  const result = schema.safeParse(value)\n',
      replace:
        "  if (JSON.stringify(value)?.includes('__proto__')) throw new Error('odd')\n  const result = schema.safeParse(value)\n",
    },
  ],
  'each-request-leaks': [
    {
      file: 'server/platform/http/http-server.ts',
      find: '    void reply.headers(request.url',
      replace:
        "    ;((globalThis as { leaked?: string[] }).leaked ??= []).push(`${request.id}${'x'.repeat(60_000)}`.split('').join(''))\n    void reply.headers(request.url",
    },
  ],
  'frames-have-no-limit': [
    {
      file: 'server/realtime/sockets.ts',
      find: '  maxPayload: LARGEST_FRAME_BYTES,\n',
      replace: '  maxPayload: 0,\n',
    },
  ],
  'an-internal-error-is-shown': [
    {
      file: 'server/platform/http/parse.ts',
      find: "refuse('malformed', { field, problem: unknown.length > 0 ? 'is not expected here' : issue.message })",
      replace: "refuse('malformed', { field, problem: String(new Error(issue.message).stack) })",
    },
  ],
}
