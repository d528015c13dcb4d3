import * as z from 'zod/mini'
import { type Act as SignedAct, isAct } from './acts.ts'

/** An act in the body of a request. */
export const Act = z.custom<SignedAct>(isAct, 'is not an act of an operator')
