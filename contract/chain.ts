import * as z from 'zod/mini'
import { get } from './route.ts'
import { Wallet } from './values.ts'

export const readChain = get('/api/chain', {
  summary: 'Which chain and token this game runs on.',
  reply: z.object({
    cluster: z.enum(['local', 'private', 'devnet', 'testnet', 'mainnet']),
    mint: Wallet,
    decimals: z.int(),
    /** The URL of a transaction in a block explorer, with the placeholder `{signature}`. Null if no explorer covers the chain. */
    explorer: z.nullable(z.string()),
  }),
})
