import { generateKeyPairSigner } from '@solana/kit'
import {
  findAssociatedTokenPda,
  getApproveInstruction,
  getBurnInstruction,
  getCloseAccountInstruction,
  getInitializeAccount3Instruction,
  getInitializeMultisig2Instruction,
  getMultisigSize,
  getRecoverNestedAssociatedTokenInstruction,
  getTokenSize,
  getTransferCheckedInstruction,
  getTransferInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { buildLookupTable } from '#tests/support/lookup-table.ts'
import type { DepositCase } from './hostile-transactions.ts'
import { memo } from './case-context.ts'

/** Valid deposits in forms that a faulty reader misses or miscounts. */
export const HONEST: DepositCase[] = [
  {
    name: 'a checked transfer to an existing account',
    async play({ run, open, player, mine, mint, payer }) {
      await run([open(player.tokenAccount, player.owner)])
      const destination = player.tokenAccount
      const amount = 1_000n
      const pay = getTransferCheckedInstruction({
        source: mine,
        mint,
        destination,
        authority: payer,
        amount,
        decimals: 6,
      })
      await run([pay])
      return { credit: 1_000n }
    },
  },
  {
    name: 'the account is created and filled in one transaction',
    async play({ run, open, move, player }) {
      await run([open(player.tokenAccount, player.owner), move({ to: player.tokenAccount, amount: 1_001n })])
      return { credit: 1_001n }
    },
  },
  {
    name: 'the account was created earlier by another wallet',
    async play({ run, open, move, settle, player }) {
      await settle(await run([open(player.tokenAccount, player.owner)]))
      await run([move({ to: player.tokenAccount, amount: 1_002n })])
      return { credit: 1_002n }
    },
  },
  {
    name: 'a legacy transaction',
    async play({ runAs, open, move, player }) {
      const { tokenAccount, owner } = player
      await runAs('legacy', [open(tokenAccount, owner), move({ to: tokenAccount, amount: 1_003n })])
      return { credit: 1_003n }
    },
  },
  {
    name: 'the account is in a lookup table only',
    async play({ chain, payer, run, runAs, settle, open, move, player }) {
      const { tokenAccount, owner } = player
      const { table, setupInstructions } = await buildLookupTable(chain, payer, [tokenAccount])
      await settle(await run([...setupInstructions, open(tokenAccount, owner)]))
      await runAs({ [table]: [tokenAccount] }, [move({ to: tokenAccount, amount: 1_004n })])
      return { credit: 1_004n }
    },
  },
  {
    name: 'a transfer by an inner instruction',
    async play({ run, settle, open, move, keyOf, player, mint }) {
      const { tokenAccount, owner } = player
      const seeds = { owner: tokenAccount, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }
      const [nested] = await findAssociatedTokenPda(seeds)
      const fill = [
        open(tokenAccount, owner),
        open(nested, tokenAccount),
        move({ to: nested, amount: 1_005n }),
      ]
      await settle(await run(fill))
      const recover = getRecoverNestedAssociatedTokenInstruction({
        nestedAssociatedAccountAddress: nested,
        nestedTokenMintAddress: mint,
        destinationAssociatedAccountAddress: tokenAccount,
        ownerAssociatedAccountAddress: tokenAccount,
        ownerTokenMintAddress: mint,
        walletAddress: await keyOf(player),
      })
      await run([recover])
      // The rent of the inner account returns to the owner.
      return { credit: 1_005n, unclaimed: [['sol', null]] }
    },
  },
  {
    name: 'a delegate pays from the account of another owner',
    async play({ run, make, settle, open, move, player, mine, payer, mint }) {
      const [delegate, account] = [await generateKeyPairSigner(), await generateKeyPairSigner()]
      const source = account.address
      const fill = [
        await make({ account, space: getTokenSize() }),
        getInitializeAccount3Instruction({ account: source, mint, owner: payer.address }),
        move({ from: mine, to: source, amount: 5_000n }),
        getApproveInstruction({ source, delegate: delegate.address, owner: payer, amount: 1_006n }),
        open(player.tokenAccount, player.owner),
      ]
      await settle(await run(fill))
      await run([move({ from: source, to: player.tokenAccount, amount: 1_006n, authority: delegate })])
      return { credit: 1_006n }
    },
  },
  {
    name: 'the payer is a multisignature',
    async play({ run, make, settle, open, move, player, mint }) {
      const [first, second, multisig, account] = await Promise.all(
        [1, 2, 3, 4].map(() => generateKeyPairSigner()),
      )
      const fill = [
        await make({ account: multisig!, space: getMultisigSize() }),
        getInitializeMultisig2Instruction({
          multisig: multisig!.address,
          m: 2,
          signers: [first!.address, second!.address],
        }),
        await make({ account: account!, space: getTokenSize() }),
        getInitializeAccount3Instruction({ account: account!.address, mint, owner: multisig!.address }),
        move({ to: account!.address, amount: 1_007n }),
      ]
      await settle(await run(fill))
      const pay = getTransferInstruction({
        source: account!.address,
        destination: player.tokenAccount,
        authority: multisig!.address,
        multiSigners: [first!, second!],
        amount: 1_007n,
      })
      await run([open(player.tokenAccount, player.owner), pay])
      return { credit: 1_007n }
    },
  },
  {
    name: 'tokens that are minted directly into the account',
    async play({ gift, player }) {
      await gift(player.owner, 1_008n)
      return { credit: 1_008n }
    },
  },
  {
    name: 'one base unit',
    async play({ run, open, move, player }) {
      await run([open(player.tokenAccount, player.owner), move({ to: player.tokenAccount, amount: 1n })])
      return { credit: 1n }
    },
  },
  {
    name: 'several transfers in one transaction',
    async play({ run, open, move, player }) {
      const parts = [300n, 20n, 1n].map((amount) => move({ to: player.tokenAccount, amount }))
      await run([open(player.tokenAccount, player.owner), ...parts])
      return { credit: 321n }
    },
  },
  {
    name: 'two players in one transaction',
    async play({ run, open, move, player, other }) {
      await run([
        open(player.tokenAccount, player.owner),
        open(other.tokenAccount, other.owner),
        move({ to: player.tokenAccount, amount: 70n }),
        move({ to: other.tokenAccount, amount: 7n }),
      ])
      return { credit: 70n, other: 7n }
    },
  },
  {
    name: 'two transactions of the same amount, one block apart or in one',
    async play({ run, settle, open, move, player }) {
      await settle(await run([open(player.tokenAccount, player.owner)]))
      await Promise.all([1, 2].map(() => run([move({ to: player.tokenAccount, amount: 44n })])))
      return { credit: 88n }
    },
  },
  {
    name: 'more tokens enter than leave',
    async play({ run, open, move, keyOf, player, mine }) {
      const { tokenAccount, owner } = player
      const authority = await keyOf(player)
      await run([
        open(tokenAccount, owner),
        move({ to: tokenAccount, amount: 500n }),
        move({ from: tokenAccount, to: mine, amount: 200n, authority }),
      ])
      return { credit: 300n }
    },
  },
  {
    name: 'a part is burned in the same transaction',
    async play({ run, open, move, keyOf, player, mint }) {
      const { tokenAccount: account, owner } = player
      const authority = await keyOf(player)
      const burn = getBurnInstruction({ account, mint, authority, amount: 60n })
      await run([open(account, owner), move({ to: account, amount: 500n }), burn])
      return { credit: 440n }
    },
  },
  {
    name: 'the account is closed, recreated and filled in one transaction',
    async play({ run, settle, open, move, keyOf, player, payer }) {
      const { tokenAccount: account, owner } = player
      await settle(await run([open(account, owner)]))
      const close = getCloseAccountInstruction({
        account,
        destination: payer.address,
        owner: await keyOf(player),
      })
      await run([close, open(account, owner), move({ to: account, amount: 51n })])
      return { credit: 51n }
    },
  },
  {
    name: 'a deposit with a self-transfer of the account',
    async play({ run, open, move, keyOf, player }) {
      const { tokenAccount, owner } = player
      const authority = await keyOf(player)
      await run([
        open(tokenAccount, owner),
        move({ to: tokenAccount, amount: 40n }),
        move({ from: tokenAccount, to: tokenAccount, amount: 40n, authority }),
      ])
      return { credit: 40n }
    },
  },
  {
    name: 'a memo that imitates a payout',
    async play({ run, open, move, player }) {
      const text = 'w:0190a000-0000-7000-8000-000000000000'
      const pay = move({ to: player.tokenAccount, amount: 33n })
      await run([open(player.tokenAccount, player.owner), pay, memo(text)])
      return { credit: 33n }
    },
  },
  {
    name: 'more than a double can represent exactly',
    async play({ gift, player }) {
      await gift(player.owner, 2n ** 53n + 1n)
      return { credit: 2n ** 53n + 1n }
    },
  },
]
