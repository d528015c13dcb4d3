import type { Address, Chain } from '#server/chain/port.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'

/** What most steps of the signer use. A step declares the fields that it needs. */
export type StepDeps = { db: Db; chain: Chain; clock: Clock; log: Log }

/** The addresses of the treasury's wallet and token account, without the key. */
export type TreasuryAddresses = { treasury: { address: Address }; treasuryTokens: Address }
