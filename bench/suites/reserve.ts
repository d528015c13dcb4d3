import { takeSnapshot } from '#server/solvency/take-snapshot.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { load } from '../load.ts'
import { type DepositedWorld, fillWithDeposits, OPEN, TREASURY } from '../reserve/fill-deposits.ts'
import { measureRounds, type TimedVariant, newVariant } from '../measure-rounds.ts'
import { type Run, type Measured, suiteOf } from '../suite.ts'

const SIZES = [1_000, 1_000_000] as const

/** The cost of a reserve snapshot with a thousand deposit accounts, and with a million. */
export const reserve = suiteOf('Reserve snapshots over a thousand and a million deposit accounts', measure)

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  const worlds: DepositedWorld[] = []
  const facts: Measured['facts'] = { 'Accounts that hold something': OPEN }
  for (const accounts of quick ? [1_000, 100_000] : SIZES) {
    const from = performance.now()
    worlds.push(await fillWithDeposits(postgres, accounts, closers))
    facts[`To fill ${shown(accounts)} accounts`] = `${((performance.now() - from) / 1000).toFixed(1)} s`
    say(`${shown(accounts)} accounts are filled.`)
  }
  const [small, large] = worlds as [DepositedWorld, DepositedWorld]
  const variants = worlds.map((world) => timed(world, { base: small, seconds: quick ? 0.5 : 2 }))
  await measureRounds(variants, { rounds: quick ? 3 : 5, say })
  say('Auditing …')
  for (const world of worlds) await world.audit()
  return {
    base: nameOf(small),
    unit: 'snapshots',
    variants: variants.map(({ variant }) => variant),
    targets: [
      {
        what: `cost over ${shown(large.accounts)} accounts, over that with ${shown(small.accounts)}`,
        of: nameOf(small),
        over: nameOf(large),
        atMost: 1.5,
      },
    ],
    facts,
  }
}

const shown = (count: number): string => count.toLocaleString('en')

const nameOf = ({ accounts }: DepositedWorld): string => `snapshot, ${shown(accounts)} accounts`

function timed(
  world: DepositedWorld,
  { base, seconds }: { base: DepositedWorld; seconds: number },
): TimedVariant {
  const at = { treasury: TREASURY, cold: [], notBefore: 0n, now: new Date() }
  return {
    variant: newVariant(nameOf(world), nameOf(base)),
    run: () =>
      load({ clients: 1, seconds }, async () => {
        const { surplus, depositAccounts } = await takeSnapshot(world, at)
        if (surplus !== 0n || depositAccounts === 0n) throw new Error(`A surplus of ${surplus}`)
        return true
      }),
  }
}
