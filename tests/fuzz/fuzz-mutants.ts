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
  'unclear-bytes-are-repaired': [
    {
      file: 'server/platform/http/http-server.ts',
      find: '      requireHostHeader: false,\n',
      replace: '      requireHostHeader: false,\n      insecureHTTPParser: true,\n',
    },
  ],
  'refused-connections-stay-open': [
    {
      file: 'server/platform/http/refuse-raw.ts',
      find: '    socket.destroy(error as Error)\n',
      replace: '',
    },
  ],
  'late-requests-are-not-refused': [
    {
      file: 'server/platform/http/http-server.ts',
      find: 'requestTimeout: 8_000, headersTimeout: 5_000',
      replace: 'requestTimeout: 80_000, headersTimeout: 50_000',
    },
  ],
  'odd-upgrades-are-left-to-the-library': [
    {
      file: 'server/realtime/sockets.ts',
      find: "  wss.on('wsClientError', (_error, stream) => rejectUpgrade(stream, 400))\n",
      replace: '',
    },
  ],
  'a-missing-host-is-left-to-node': [
    {
      file: 'server/platform/http/http-server.ts',
      find: '      requireHostHeader: false,\n',
      replace: '',
    },
  ],
  'the-local-chain-waits-for-late-requests': [
    {
      file: 'local-chain/rpc-server.ts',
      find: 'return createServer(LIMITS, (request',
      replace: 'return createServer({}, (request',
    },
  ],
  'transactions-are-not-checked': [
    {
      file: 'server/chain/solana.ts',
      find: '  checkTransaction(answer as CheckedTransaction, { signature, facts })\n',
      replace: '',
    },
  ],
  'receipts-of-other-histories-count': [
    {
      file: 'server/deposits/read-arrivals.ts',
      find: 'receipt?.slot === item.slot && receipt.isDerived && receipt.accounts.includes(of.history)',
      replace: 'receipt !== null',
    },
  ],
  'one-node-suffices': [
    {
      file: 'server/deposits/read-arrivals.ts',
      find: "  if (quorum === 'agreed') return null\n",
      replace: '  if (quorum) return null\n',
    },
  ],
}
