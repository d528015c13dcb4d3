import type { Cotton } from '#game/cotton.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'

/**
 * The setting with the last ten fundings of the pool: each amount, and the slot by which its tokens had arrived. Only the
 * signer can write it. The journals of fundings do not suffice: the login of the api can add entries to any journal.
 */
export const FUNDINGS_SETTING = 'pool_fundings'

const append = sql({
  name: 'funding-record',
  params: { funding: 'jsonb', now: 'timestamptz' },
  text: ({ funding, now }) => `insert into settings as s (name, value, at)
    values ('${FUNDINGS_SETTING}', jsonb_build_array(${funding}), ${now})
    on conflict (name) do update set at = excluded.at,
      value = jsonb_path_query_array(s.value || excluded.value, '$[last - 9 to last]')`,
})

/** Records a funding, so that a reserve snapshot of an older slot does not report its tokens as missing. */
export async function recordFunding(
  tx: Tx,
  { slot, amount, now }: { slot: bigint; amount: Cotton; now: Date },
): Promise<void> {
  await tx.rows(append, { funding: { slot: Number(slot), amount: String(amount) }, now })
}
