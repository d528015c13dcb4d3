/** SQL for the columns `nonce, wallet_signature` of a withdrawal whose signature is not checked. */
export const ANY_SIGNATURE = `replace(gen_random_uuid()::text, '-', ''), decode(repeat('00', 64), 'hex')`
