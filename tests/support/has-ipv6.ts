import { networkInterfaces } from 'node:os'

const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])

/** Whether this machine has ::1. Some containers have not. */
export const hasIPv6 = addresses.some(({ address }) => address === '::1')
