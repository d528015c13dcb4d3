import { hash, randomBytes } from 'node:crypto'

/** The token of a new session of a player or an operator: 256 random bits. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** What the database stores of a token. Nobody can guess 256 bits, so a fast hash without a salt is enough. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
