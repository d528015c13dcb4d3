import { VARIANT } from './browser-test.ts'
import { createWithdrawal, type OpenGame, type Requested, runText, waitForState } from './console-game.ts'
import { closeWith, expect, openAct, openConsole, openPage, signAct, test } from './console-test.ts'

/** Makes the books forget a payout, as a restored backup does, and reports it as the signer does then. */
async function forgetPayout({ db }: OpenGame, { id, player }: Requested): Promise<string> {
  const [paid] = await runText<{ signature: string }>(
    db,
    'select paid_by as signature from withdrawals where id = $1',
    id,
  )
  await db.transaction(async (tx) => {
    await runText(tx, 'set local session_replication_role = replica')
    await runText(tx, 'delete from payouts where withdrawal_id = $1', id)
    await runText(tx, 'delete from withdrawals where id = $1', id)
    await runText(
      tx,
      `insert into settings (name, value, at) values ('unowed:' || $1::text,
         jsonb_build_object('id', $2::text, 'wallet', $3::text, 'amount', '30000000'), now())`,
      paid!.signature,
      id,
      player.address,
    )
  })
  return paid!.signature
}

test(
  'the pool is funded, and a payout that a backup forgot is taken back and settled',
  VARIANT,
  async ({ page, game }) => {
    const withdrawal = await createWithdrawal(game, 30)
    await openConsole(page, withdrawal.address)
    await openAct(page, 'Approve')
    await signAct(page)
    await closeWith(page, /^Approved/)

    await openPage(page, 'Books')
    const dialog = await openAct(page, 'Fund the reward pool', 'Sponsor')
    await dialog.getByRole('textbox', { name: 'Amount in $COTTON' }).fill('20000')
    expect(await signAct(page)).toContain('Amount: 20,000 $COTTON')
    await closeWith(page, 'Done')

    await waitForState(game.db, withdrawal.id, 'finalized')
    const transaction = await forgetPayout(game, withdrawal)
    await page.reload()
    await openAct(page, 'Take them back', 'Restored from a backup')
    expect(await signAct(page)).toContain('Act: take back 1 payouts')
    await closeWith(page, 'Took back 0 of 30 $COTTON in 1 payouts: 30 $COTTON remain as debt.')
    await expect(page.getByRole('button', { name: 'Take them back' })).toBeHidden()

    await openAct(page, 'Acknowledge', 'It was paid twice')
    await dialog.getByRole('combobox').selectOption('The pool covers it')
    expect(await signAct(page)).toContain(transaction)
    await closeWith(page, /^Acknowledged: 30 \$COTTON of 30 .* are paid from the pool\.$/)
    await openPage(page, 'Log')
    await expect(page.getByRole('cell', { name: 'Acknowledge a payout' })).toBeVisible()
  },
)
