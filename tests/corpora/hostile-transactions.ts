import { type Address, generateKeyPairSigner } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  AuthorityType,
  findAssociatedTokenPda,
  getApproveInstruction,
  getBurnInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToInstruction,
  getSetAuthorityInstruction,
  getSyncNativeInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { buildFeeToken, buildNamedMint } from './extended-tokens.ts'
import type { Signature } from '#server/chain/port.ts'
import { memo, type CaseContext, TOKEN_2022 } from './case-context.ts'

/** The expected result of a case, in base units; 0 where omitted. */
export type ExpectedOutcome = {
  credit?: bigint
  /** Credited to the other player. */
  other?: bigint
  /** Recorded for the operator and not credited; null if the amount depends on rent. */
  unclaimed?: readonly (readonly [asset: 'cotton' | 'sol' | 'other_token', amount: bigint | null])[]
  /** A transaction that must fail on the chain for the case to be valid. */
  failed?: Signature
}

export type DepositCase = { name: string; play(stage: CaseContext): Promise<ExpectedOutcome> }

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112' as Address
const MAX_U64 = 2n ** 64n - 1n

/** Transactions that a faulty reader takes for deposits. */
export const HOSTILE: DepositCase[] = [
  {
    name: 'a false top-up: an account is filled, emptied and given to the owner',
    async play({ name, run, loose, move, handOver, payer, mine, player }) {
      const { account, made } = await loose(payer.address)
      await run([
        ...made,
        move({ to: account, amount: 1_000n }),
        move({ from: account, to: mine, amount: 1_000n }),
        handOver(account, player.owner),
        name(player.owner),
      ])
      return {}
    },
  },
  {
    name: 'the ownership of a full account is transferred',
    async play({ name, run, loose, move, handOver, payer, player }) {
      const { account, made } = await loose(payer.address)
      await run([
        ...made,
        move({ to: account, amount: 900n }),
        handOver(account, player.owner),
        name(player.owner),
      ])
      return { unclaimed: [['other_token', 900n]] }
    },
  },
  {
    name: 'an account is filled after its ownership was transferred',
    async play({ name, run, settle, loose, move, handOver, payer, player }) {
      const { account, made } = await loose(payer.address)
      await settle(await run([...made, handOver(account, player.owner)]))
      await run([move({ to: account, amount: 901n }), name(player.owner)])
      return { unclaimed: [['other_token', 901n]] }
    },
  },
  {
    name: 'an account of the deposit owner that is not the derived one',
    async play({ name, run, loose, move, player }) {
      const { account, made } = await loose(player.owner)
      await run([...made, move({ to: account, amount: 902n }), name(player.owner)])
      return { unclaimed: [['other_token', 902n]] }
    },
  },
  {
    name: 'the derived account of the derived account',
    async play({ name, run, open, move, player, mint }) {
      const seeds = { owner: player.tokenAccount, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }
      const [nested] = await findAssociatedTokenPda(seeds)
      await run([open(nested, player.tokenAccount), move({ to: nested, amount: 903n }), name(player.owner)])
      return {}
    },
  },
  {
    name: 'tokens enter and leave in one transaction',
    async play({ run, open, move, keyOf, mine, player }) {
      const { tokenAccount, owner } = player
      const authority = await keyOf(player)
      await run([
        open(tokenAccount, owner),
        move({ to: tokenAccount, amount: 904n }),
        move({ from: tokenAccount, to: mine, amount: 904n, authority }),
      ])
      return {}
    },
  },
  {
    name: 'the whole deposit is burned in the same transaction',
    async play({ run, open, move, keyOf, player, mint }) {
      const { tokenAccount: account, owner } = player
      const burn = getBurnInstruction({ account, mint, authority: await keyOf(player), amount: 905n })
      await run([open(account, owner), move({ to: account, amount: 905n }), burn])
      return {}
    },
  },
  {
    name: 'the account sends its tokens to itself',
    async play({ run, gift, settle, move, keyOf, player }) {
      const { tokenAccount, owner } = player
      await settle(await gift(owner, 10n))
      const authority = await keyOf(player)
      await run([move({ from: tokenAccount, to: tokenAccount, amount: 10n, authority })])
      return { credit: 10n }
    },
  },
  {
    name: 'the account is emptied and closed later',
    async play({ run, gift, settle, move, keyOf, mine, payer, player }) {
      const { tokenAccount, owner } = player
      await settle(await gift(owner, 11n))
      const authority = await keyOf(player)
      await run([
        move({ from: tokenAccount, to: mine, amount: 11n, authority }),
        getCloseAccountInstruction({ account: tokenAccount, destination: payer.address, owner: authority }),
      ])
      return { credit: 11n }
    },
  },
  {
    name: 'another token with the same decimals',
    async play({ run, counterfeit, player }) {
      const { made } = await counterfeit({ owner: player.owner, amount: 906n })
      await run(made)
      return { unclaimed: [['other_token', 906n]] }
    },
  },
  {
    name: 'another token with other decimals',
    async play({ run, counterfeit, player }) {
      const { made } = await counterfeit({ owner: player.owner, amount: 907n, decimals: 9 })
      await run(made)
      return { unclaimed: [['other_token', 907n]] }
    },
  },
  {
    name: 'a counterfeit under the newer token program',
    async play({ run, counterfeit, player }) {
      const { made } = await counterfeit({ owner: player.owner, amount: 908n, program: TOKEN_2022 })
      await run(made)
      return { unclaimed: [['other_token', 908n]] }
    },
  },
  {
    name: 'a counterfeit named $COTTON',
    async play({ run, make, payer, player }) {
      const { mint, ata, made } = await buildNamedMint({ make, payer, owner: player.owner })
      const to = { mint, token: ata, mintAuthority: payer, amount: 909n }
      await run([...made, getMintToInstruction(to, { programAddress: TOKEN_2022 })])
      return { unclaimed: [['other_token', 909n]] }
    },
  },
  {
    name: 'a token with a transfer fee',
    async play({ name, run, settle, make, payer, player }) {
      const fee = await buildFeeToken({ make, payer, owner: player.owner })
      await settle(await run(fee.made))
      await run([fee.pay(10_000n), name(player.owner)])
      return { unclaimed: [['other_token', 9_900n]] }
    },
  },
  {
    name: 'the largest possible amount of a counterfeit',
    async play({ run, counterfeit, player }) {
      const { made } = await counterfeit({ owner: player.owner, amount: MAX_U64 })
      await run(made)
      return { unclaimed: [['other_token', MAX_U64]] }
    },
  },
  {
    name: 'our mint under the other token program',
    async play({ run, payer, player, mint }) {
      const seeds = { owner: player.owner, mint, tokenProgram: TOKEN_2022 }
      const [ata] = await findAssociatedTokenPda(seeds)
      const open = { payer, ata, owner: player.owner, mint, tokenProgram: TOKEN_2022 }
      return { failed: await run([getCreateAssociatedTokenIdempotentInstruction(open)]) }
    },
  },
  {
    name: 'a failing transfer after a successful one',
    async play({ run, open, move, player }) {
      const good = move({ to: player.tokenAccount, amount: 910n })
      const bad = move({ to: player.tokenAccount, amount: 10n ** 15n })
      return { failed: await run([open(player.tokenAccount, player.owner), good, bad]) }
    },
  },
  {
    name: 'a failed transaction into an existing account',
    async play({ run, settle, open, move, player }) {
      await settle(await run([open(player.tokenAccount, player.owner)]))
      const good = move({ to: player.tokenAccount, amount: 911n })
      return { failed: await run([good, move({ to: player.tokenAccount, amount: MAX_U64 })]) }
    },
  },
  {
    name: 'a transfer that exceeds the balance',
    async play({ run, open, move, player }) {
      const { tokenAccount, owner } = player
      return { failed: await run([open(tokenAccount, owner), move({ to: tokenAccount, amount: MAX_U64 })]) }
    },
  },
  {
    name: 'a transfer to the owner, which is not a token account',
    async play({ run, move, player }) {
      return { failed: await run([move({ to: player.owner, amount: 912n })]) }
    },
  },
  {
    name: 'a transfer that is signed with another key',
    async play({ run, open, move, mine, player }) {
      const stranger = await generateKeyPairSigner()
      const theft = move({ from: mine, to: player.tokenAccount, amount: 913n, authority: stranger })
      return { failed: await run([open(player.tokenAccount, player.owner), theft]) }
    },
  },
  {
    name: 'a transfer of zero',
    async play({ run, open, move, player }) {
      await run([open(player.tokenAccount, player.owner), move({ to: player.tokenAccount, amount: 0n })])
      return {}
    },
  },
  {
    name: 'the account is only created',
    async play({ run, open, player }) {
      await run([open(player.tokenAccount, player.owner)])
      return {}
    },
  },
  {
    name: 'the deposit owner is only the delegate of an account',
    async play({ run, loose, move, payer, player }) {
      const { account, made } = await loose(payer.address)
      const approve = { source: account, delegate: player.owner, owner: payer, amount: 914n }
      await run([...made, move({ to: account, amount: 914n }), getApproveInstruction(approve)])
      return {}
    },
  },
  {
    name: 'the deposit owner is only the close authority of an account',
    async play({ name, run, loose, move, payer, player }) {
      const { account, made } = await loose(payer.address)
      const authorityType = AuthorityType.CloseAccount
      await run([
        ...made,
        move({ to: account, amount: 915n }),
        getSetAuthorityInstruction({
          owned: account,
          owner: payer,
          authorityType,
          newAuthority: player.owner,
        }),
        name(player.owner),
      ])
      return {}
    },
  },
  {
    name: 'the rent of a closed account goes to the deposit owner',
    async play({ run, loose, payer, player }) {
      const { account, made } = await loose(payer.address)
      await run([...made, getCloseAccountInstruction({ account, destination: player.owner, owner: payer })])
      return { unclaimed: [['sol', null]] }
    },
  },
  {
    name: 'SOL to the owner',
    async play({ run, player, payer }) {
      await run([getTransferSolInstruction({ source: payer, destination: player.owner, amount: 5_000_000n })])
      return { unclaimed: [['sol', 5_000_000n]] }
    },
  },
  {
    name: 'SOL to the token account',
    async play({ run, open, player, payer }) {
      const to = { source: payer, destination: player.tokenAccount, amount: 5_000_001n }
      await run([open(player.tokenAccount, player.owner), getTransferSolInstruction(to)])
      return {}
    },
  },
  {
    name: 'wrapped SOL',
    async play({ run, player, payer }) {
      const seeds = { owner: player.owner, mint: WRAPPED_SOL, tokenProgram: TOKEN_PROGRAM_ADDRESS }
      const [ata] = await findAssociatedTokenPda(seeds)
      await run([
        getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner: player.owner, mint: WRAPPED_SOL }),
        getTransferSolInstruction({ source: payer, destination: ata, amount: 5_000_002n }),
        getSyncNativeInstruction({ account: ata }),
      ])
      return { unclaimed: [['other_token', 5_000_002n]] }
    },
  },
  {
    name: 'a memo that imitates a deposit',
    async play({ name, run, player }) {
      await run([name(player.owner), memo(`d:${player.wallet} 1000 to ${player.tokenAccount}`)])
      return {}
    },
  },
  {
    name: 'a memo with the bytes of a transfer instruction',
    async play({ name, run, player }) {
      const bytes = memo(`\u0003${'\u0001\u0002'}${'\u0000'.repeat(6)}`)
      await run([bytes, name(player.owner)])
      return {}
    },
  },
  {
    name: 'a deposit of another player that also names this owner',
    async play({ name, run, open, move, player, other }) {
      await run([
        open(other.tokenAccount, other.owner),
        move({ to: other.tokenAccount, amount: 916n }),
        name(player.owner),
      ])
      return { other: 916n }
    },
  },
  {
    name: 'tokens to another account, next to the creation of the deposit account',
    async play({ run, open, move, chain, player }) {
      const stranger = await generateKeyPairSigner()
      const ata = await chain.tokenAccountOf(stranger.address)
      await run([
        open(player.tokenAccount, player.owner),
        open(ata, stranger.address),
        move({ to: ata, amount: 917n }),
      ])
      return {}
    },
  },
  {
    name: 'more than the ledger can represent',
    async play({ gift, player }) {
      await gift(player.owner, 9_000_000_000_000_000_000n)
      return { unclaimed: [['cotton', 9_000_000_000_000_000_000n]] }
    },
  },
]
