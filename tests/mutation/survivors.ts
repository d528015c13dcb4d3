import type { Survivor } from './survivor.ts'
import { SURVIVORS_IN_ACCOUNT } from './survivors-in-account.ts'
import { SURVIVORS_IN_DEPOSITS } from './survivors-in-deposits.ts'
import { SURVIVORS_IN_GAME } from './survivors-in-game.ts'
import { SURVIVORS_IN_MARKET } from './survivors-in-market.ts'
import { SURVIVORS_IN_SERVER } from './survivors-in-server.ts'
import { SURVIVORS_IN_WITHDRAWALS } from './survivors-in-withdrawals.ts'

export const SURVIVORS: readonly Survivor[] = [
  ...SURVIVORS_IN_GAME,
  ...SURVIVORS_IN_SERVER,
  ...SURVIVORS_IN_ACCOUNT,
  ...SURVIVORS_IN_DEPOSITS,
  ...SURVIVORS_IN_WITHDRAWALS,
  ...SURVIVORS_IN_MARKET,
]
