import { sql } from '#server/platform/db/db.ts'

/** Opens 10,007 sessions of a wallet: more than one statement ends. */
export const openSessions = sql({
  name: 'test-open-sessions',
  params: { wallet: 'text', now: 'timestamptz' },
  text: ({ wallet, now }) =>
    `insert into sessions (token_hash, wallet, created_at, seen_at)
     select sha256((${wallet} || n)::bytea), ${wallet}, ${now}, ${now} from generate_series(1, 10007) n`,
})
