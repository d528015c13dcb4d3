import { getBase58Decoder, getProgramDerivedAddress } from '@solana/kit'
import type { TestPlayer } from '#tests/support/test-player.ts'

/** The request of a login: a body, or its raw text. */
export type Attempt = { body: unknown } | { text: string; type?: string }

/** Valid nonces: one of the player, and one of another wallet. */
export type LoginContext = {
  player: TestPlayer
  stranger: TestPlayer
  message: string
  nonce: string
  foreign: string
}

/** A login that must be refused. It differs from a valid one in one thing; the valid one is sent next and succeeds. */
export type NearMiss = { name: string; attempt(context: LoginContext): Attempt }

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

// ---- Wallets without a private key ------------------------------------------------------------------------------------

/**
 * Every encoding of a point of small order: the eight canonical ones, and those with a coordinate above the field prime
 * or a sign bit on zero. A faulty verifier accepts S = 0 and some of these R as a signature of any message.
 */
export const SMALL_ORDER = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
]

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

const littleEndian = (value: bigint) =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toReversed() as Buffer

const addressOf = (hex: string) => getBase58Decoder().decode(Buffer.from(hex, 'hex'))

/** Logins for wallets without a private key: the wallet, and a forged signature. */
export async function keylessLogins(): Promise<{ name: string; wallet: string; signature: string }[]> {
  const forged: { name: string; wallet: string; signature: string }[] = []
  for (const [key, point] of SMALL_ORDER.entries()) {
    for (const [at, r] of SMALL_ORDER.entries()) {
      const signature = base64(Buffer.concat([Buffer.from(r, 'hex'), Buffer.alloc(32)]))
      forged.push({ name: `small-order key ${key}, R ${at}, S 0`, wallet: addressOf(point), signature })
    }
    const signature = base64(Buffer.concat([Buffer.from(SMALL_ORDER[0]!, 'hex'), littleEndian(ORDER)]))
    forged.push({ name: `small-order key ${key}, S the group order`, wallet: addressOf(point), signature })
  }
  const programAddress = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Parameters<
    typeof getProgramDerivedAddress
  >[0]['programAddress']
  const derived = await Promise.all(
    ['farm', 'treasury', 'deposit'].map((seed) =>
      getProgramDerivedAddress({ programAddress, seeds: [seed] }),
    ),
  )
  const wallets = [
    ...derived.map(([address]) => address as string),
    programAddress,
    'ComputeBudget111111111111111111111111111111',
    'SysvarC1ock11111111111111111111111111111111',
    'Vote111111111111111111111111111111111111111',
  ]
  for (const wallet of wallets) {
    for (const r of SMALL_ORDER.slice(0, 3)) {
      const signature = base64(Buffer.concat([Buffer.from(r, 'hex'), Buffer.alloc(32)]))
      forged.push({ name: `nobody's key ${wallet}, R ${r.slice(0, 4)}`, wallet, signature })
    }
  }
  return forged
}

// ---- Signatures that are not the player's ------------------------------------------------------------------------

const signed = ({ player, message }: LoginContext, change: (signature: Buffer) => unknown): Attempt => ({
  body: { walletAddress: player.wallet, message, signature: change(player.sign(message)) },
})

const bytes = (name: string, change: (signature: Buffer, context: LoginContext) => Uint8Array): NearMiss => ({
  name: `signature: ${name}`,
  attempt: (context) => signed(context, (signature) => base64(change(signature, context))),
})

const text = (name: string, change: (encoded: string, signature: Buffer) => unknown): NearMiss => ({
  name: `signature as text: ${name}`,
  attempt: (context) => signed(context, (signature) => change(base64(signature), signature)),
})

const flipped = (at: number): NearMiss =>
  bytes(`one bit of byte ${at} is turned`, (signature) => {
    const changed = Buffer.from(signature)
    changed[at]! ^= 1 << (at % 8)
    return changed
  })

const moved = (times: bigint): NearMiss =>
  bytes(`S is moved by ${times} times the group order`, (signature) => {
    const scalar = BigInt(`0x${Buffer.from(signature.subarray(32).toReversed()).toString('hex')}`)
    return Buffer.concat([signature.subarray(0, 32), littleEndian(scalar + times * ORDER)])
  })

const SIGNATURES: NearMiss[] = [
  ...Array.from({ length: 64 }, (_, at) => flipped(at)),
  ...Array.from({ length: 14 }, (_, at) => moved(BigInt(at + 1))),
  bytes('all zeros', () => Buffer.alloc(64)),
  bytes('all ones', () => Buffer.alloc(64, 0xff)),
  bytes('its halves are exchanged', (signature) => {
    return Buffer.concat([signature.subarray(32), signature.subarray(0, 32)])
  }),
  bytes('its bytes are reversed', (signature) => signature.toReversed()),
  bytes('R is the identity', (signature) => {
    return Buffer.concat([Buffer.from(SMALL_ORDER[0]!, 'hex'), signature.subarray(32)])
  }),
  bytes('S is 0', (signature) => Buffer.concat([signature.subarray(0, 32), Buffer.alloc(32)])),
  bytes('63 bytes', (signature) => signature.subarray(0, 63)),
  bytes('65 bytes', (signature) => Buffer.concat([signature, Buffer.alloc(1)])),
  bytes('twice', (signature) => Buffer.concat([signature, signature])),
  bytes('no bytes', () => Buffer.alloc(0)),
  bytes('of another message', (_, { player }) => player.sign('Sign in to Cotton Farm')),
  bytes('of the message without its end', (_, { player, message }) => player.sign(message.slice(0, -1))),
  bytes('of the message in UTF-16', (_, { player, message }) => player.sign(Buffer.from(message, 'utf16le'))),
  bytes('of the message in base64', (_, { player, message }) => player.sign(btoa(message))),
  bytes('of the off-chain envelope around it', (_, { player, message }) => {
    return player.sign(Buffer.concat([Buffer.from('\u00ffsolana offchain', 'latin1'), Buffer.from(message)]))
  }),
  bytes('by another key', (_, { stranger, message }) => stranger.sign(message)),
  text('without padding', (encoded) => encoded.replaceAll('=', '')),
  text('more padding', (encoded) => `${encoded}=`),
  text('unused bits set', (encoded) => `${encoded.slice(0, -3)}${unused(encoded.at(-3)!)}==`),
  text('in the URL-safe alphabet', (encoded) => `-_${encoded.slice(2)}`),
  text('a leading space', (encoded) => ` ${encoded}`),
  text('a trailing space', (encoded) => `${encoded} `),
  text('an inserted newline', (encoded) => `${encoded.slice(0, 44)}\n${encoded.slice(44)}`),
  text('a trailing newline', (encoded) => `${encoded}\n`),
  text('invalid characters inside', (encoded) => `${encoded.slice(0, 4)}!*${encoded.slice(4)}`),
  text('an invalid character at the end', (encoded) => `${encoded}!`),
  text('a NUL character', (encoded) => `${encoded}\u0000`),
  text('in upper case', (encoded) => encoded.toUpperCase()),
  text('as a data URL', (encoded) => `data:;base64,${encoded}`),
  text('in base58', (_, signature) => getBase58Decoder().decode(signature)),
  text('in hex', (_, signature) => signature.toString('hex')),
  text('nothing', () => ''),
  text('blank', () => '   '),
  text('null', () => null),
  text('a number', () => 64),
  text('true', () => true),
  text('in a list', (encoded) => [encoded]),
  text('as a list of bytes', (_, signature) => [...signature]),
  text('as an object', (encoded) => ({ signature: encoded })),
  text('as an object with toString', (encoded) => ({ toString: encoded, length: 88 })),
  text('a megabyte', (encoded) => encoded.repeat(12_000)),
]

/** Another last character that decodes to the same bytes, because its unused bits are ignored. */
function unused(character: string): string {
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return ALPHABET[ALPHABET.indexOf(character) + 1]!
}

// ---- Changed messages, each signed with the player's key ----------------------------------------------

const edit = (name: string, change: (message: string, context: LoginContext) => string): NearMiss => ({
  name: `message: ${name}`,
  attempt(context) {
    const message = change(context.message, context)
    const signature = base64(context.player.sign(message))
    return { body: { walletAddress: context.player.wallet, message, signature } }
  },
})

const line = (message: string, at: number, change: (text: string) => string): string =>
  message
    .split('\n')
    .map((each, index) => (index === at ? change(each) : each))
    .join('\n')

/** The nonce with one digit changed. */
const changed = (nonce: string, at: number): string =>
  nonce.slice(0, at) + (nonce[at] === '0' ? '1' : '0') + nonce.slice(at + 1)

const swap = (from: string, to: string): NearMiss =>
  edit(`${JSON.stringify(from)} reads ${JSON.stringify(to)}`, (message) => message.replace(from, to))

const MESSAGES: NearMiss[] = [
  edit('a trailing newline', (message) => `${message}\n`),
  edit('a leading newline', (message) => `\n${message}`),
  edit('a fourth line', (message) => `${message}\nAmount: 1`),
  edit('an inserted statement', (message) => line(message, 0, (title) => `${title}\nI agree to everything`)),
  edit('an inserted empty line', (message) => line(message, 1, (nonce) => `\n${nonce}`)),
  edit('CRLF line ends', (message) => message.replaceAll('\n', '\r\n')),
  edit('CR line ends', (message) => message.replaceAll('\n', '\r')),
  edit('line separators (U+2028)', (message) => message.replaceAll('\n', '\u2028')),
  edit('a trailing space', (message) => `${message} `),
  edit('a leading space', (message) => ` ${message}`),
  edit('a space after each line', (message) => message.replaceAll('\n', ' \n')),
  edit('two spaces', (message) => message.replace('Nonce: ', 'Nonce:  ')),
  edit('a tab', (message) => message.replace('Nonce: ', 'Nonce:\t')),
  edit('a byte order mark', (message) => `\ufeff${message}`),
  edit('a no-break space', (message) => message.replace(' ', '\u00a0')),
  edit('a zero-width space', (message) => message.replace('Cotton', 'Cot\u200bton')),
  edit('a right-to-left override', (message) => `\u202e${message}`),
  edit('a NUL character', (message) => `${message}\u0000`),
  edit('text after a NUL character', (message) => `${message}\u0000 and more`),
  edit('lower case', (message) => message.toLowerCase()),
  edit('capitals', (message) => message.toUpperCase()),
  swap('Cotton', 'C\u043etton'),
  swap('Cotton', '\uff23otton'),
  swap('farm.test', 'f\u0430rm.test'),
  swap('Farm', 'Fa\u0301rm'),
  swap('Sign in to Cotton Farm', 'Sign in to Cotton Farm '),
  swap('Sign in to', 'Log in to'),
  swap('Cotton Farm', 'Cotton'),
  swap('Cotton Farm', 'Wool Farm'),
  swap(' at farm.test', ''),
  swap('farm.test', 'evil.test'),
  swap('farm.test', 'farm.test.evil.test'),
  swap('farm.test', 'evil-farm.test'),
  swap('farm.test', 'farm.test:443'),
  swap('farm.test', 'http://farm.test'),
  swap('farm.test', 'farm.test/'),
  swap('farm.test', 'farm.test.'),
  swap('farm.test', 'FARM.TEST'),
  swap('farm.test', 'user@farm.test'),
  swap('farm.test', '127.0.0.1'),
  swap('Nonce:', 'nonce:'),
  swap('Nonce:', 'Nonce'),
  swap('Nonce: ', 'Nonce: 0x'),
  swap('Wallet:', 'wallet:'),
  swap('Wallet:', 'Address:'),
  edit('the nonce in upper case', (message, { nonce }) => message.replace(nonce, nonce.toUpperCase())),
  edit('the nonce truncated', (message, { nonce }) => message.replace(nonce, nonce.slice(0, -1))),
  edit('the nonce with an extra digit', (message, { nonce }) => message.replace(nonce, `${nonce}0`)),
  edit('the nonce twice', (message, { nonce }) => message.replace(nonce, nonce + nonce)),
  edit('a nonce of zeros', (message, { nonce }) => message.replace(nonce, '0'.repeat(nonce.length))),
  edit('no nonce', (message, { nonce }) => message.replace(nonce, '')),
  edit('the word null as nonce', (message, { nonce }) => message.replace(nonce, 'null')),
  edit('the word undefined as nonce', (message, { nonce }) => message.replace(nonce, 'undefined')),
  edit('a wildcard as nonce', (message, { nonce }) => message.replace(nonce, '%')),
  edit('the nonce with another time', (message, { nonce }) => message.replace(nonce, changed(nonce, 40))),
  edit('the nonce with other random bytes', (message, { nonce }) =>
    message.replace(nonce, changed(nonce, 5)),
  ),
  edit('the nonce with another code', (message, { nonce }) => message.replace(nonce, changed(nonce, 75))),
  edit('the nonce of another wallet', (message, { nonce, foreign }) => message.replace(nonce, foreign)),
  edit('a second nonce at the end', (message, { foreign }) => `${message}\nNonce: ${foreign}`),
  edit('a second nonce at the start', (message, { foreign }) => `Nonce: ${foreign}\n${message}`),
  edit('another wallet', (message, { player, stranger }) => message.replace(player.wallet, stranger.wallet)),
  edit('a second wallet', (message, { stranger }) => `${message}\nWallet: ${stranger.wallet}`),
  edit('the wallet in lower case', (message) => line(message, 2, (wallet) => wallet.toLowerCase())),
  edit('the wallet truncated', (message) => message.slice(0, -4)),
  edit('the wallet with an extra character', (message) => `${message}1`),
  edit('no wallet', (message) => message.split('\n').slice(0, 2).join('\n')),
  edit('no title', (message) => message.split('\n').slice(1).join('\n')),
  edit('the nonce alone', (_, { nonce }) => nonce),
  edit('lines in another order', (message) => message.split('\n').toReversed().join('\n')),
  edit('on one line', (message) => message.replaceAll('\n', ' ')),
  edit('twice', (message) => `${message}\n${message}`),
  edit('leading text', (message) => `Please ${message}`),
  edit('trailing text', (message) => `${message} Thank you`),
  edit('quoted', (message) => JSON.stringify(message)),
  edit('in base64', (message) => btoa(message)),
  edit('in hex', (message) => Buffer.from(message).toString('hex')),
  edit('percent-encoded', (message) => encodeURIComponent(message)),
  edit('as an object', (message, { nonce, player }) =>
    JSON.stringify({ message, nonce, wallet: player.wallet }),
  ),
  edit('of the sign-in standard', (_, { nonce, player }) => {
    const title = 'farm.test wants you to sign in with your Solana account:'
    return `${title}\n${player.wallet}\n\nURI: http://farm.test\nVersion: 1\nNonce: ${nonce}`
  }),
  edit('of a withdrawal', (message, { nonce }) => {
    return line(message, 0, () => 'Withdraw from Cotton Farm at farm.test').replace(
      nonce,
      `${nonce}\nAmount: 5`,
    )
  }),
  edit('shaped like a transaction', (message) => `\u0001\u0000\u0001\u0003${message}`),
  edit('nothing', () => ''),
  edit('blank', () => '   '),
  edit('a thousand and one characters', (message) => message.padEnd(1_001, ' ')),
  edit('a megabyte', (message) => message.padEnd(1_000_000, ' ')),
]

// ---- Invalid bodies ------------------------------------------------------------------------------------

type Login = { walletAddress: string; message: string; signature: string }

const honest = ({ player, message }: LoginContext): Login => ({
  walletAddress: player.wallet,
  message,
  signature: base64(player.sign(message)),
})

const body = (name: string, change: (login: Login, context: LoginContext) => unknown): NearMiss => ({
  name: `body: ${name}`,
  attempt: (context) => ({ body: change(honest(context), context) }),
})

const written = (name: string, write: (login: Login) => string, type?: string): NearMiss => ({
  name: `text: ${name}`,
  attempt: (context) => ({ text: write(honest(context)), type }),
})

const BODIES: NearMiss[] = [
  body('the wallet of another player', (login, { stranger }) => ({
    ...login,
    walletAddress: stranger.wallet,
  })),
  body('the wallet in lower case', (login) => ({
    ...login,
    walletAddress: login.walletAddress.toLowerCase(),
  })),
  body('a leading space in the wallet', (login) => ({ ...login, walletAddress: ` ${login.walletAddress}` })),
  body('a trailing space in the wallet', (login) => ({ ...login, walletAddress: `${login.walletAddress} ` })),
  body('a trailing newline in the wallet', (login) => ({
    ...login,
    walletAddress: `${login.walletAddress}\n`,
  })),
  body('an extra character in the wallet', (login) => ({
    ...login,
    walletAddress: `1${login.walletAddress}`,
  })),
  body('a missing character in the wallet', (login) => ({
    ...login,
    walletAddress: login.walletAddress.slice(1),
  })),
  body('the wallet in hex', (login) => ({
    ...login,
    walletAddress: Buffer.from(login.walletAddress).toString('hex'),
  })),
  body('the wallet in a list', (login) => ({ ...login, walletAddress: [login.walletAddress] })),
  body('the wallet null', (login) => ({ ...login, walletAddress: null })),
  body('no wallet', (login) => ({ ...login, walletAddress: undefined })),
  body('no message', (login) => ({ ...login, message: undefined })),
  body('no signature', (login) => ({ ...login, signature: undefined })),
  body('the message in a list', (login) => ({ ...login, message: [login.message] })),
  body('the message null', (login) => ({ ...login, message: null })),
  body('the message a number', (login) => ({ ...login, message: 5 })),
  body('the message an object', (login) => ({ ...login, message: { text: login.message } })),
  body('a trailing space that was not signed', (login) => ({ ...login, message: `${login.message} ` })),
  body('a trailing newline that was not signed', (login) => ({ ...login, message: `${login.message}\n` })),
  body('more in the message, signed without', (login) => ({
    ...login,
    message: `${login.message}\nAmount: 5`,
  })),
  body('Windows lines in the message, signed without', (login) => ({
    ...login,
    message: login.message.replaceAll('\n', '\r\n'),
  })),
  body('only the nonce as message, with the signature of the whole message', (login, { nonce }) => ({
    ...login,
    message: nonce,
  })),
  body('capitals in the message, signed without', (login) => ({
    ...login,
    message: login.message.toUpperCase(),
  })),
  body('an empty message, with the signature of the whole message', (login) => ({ ...login, message: '' })),
  body('an extra field', (login) => ({ ...login, admin: true })),
  body('a separate nonce field', (login, { nonce }) => ({ ...login, nonce })),
  body('in a list', (login) => [login]),
  body('nested in an object', (login) => ({ body: login })),
  body('null', () => null),
  body('nothing', () => ({})),
  written('not JSON', (login) => `walletAddress=${login.walletAddress}`),
  written('truncated JSON', (login) => JSON.stringify(login).slice(0, 60)),
  written('as a form', (login) => new URLSearchParams(login).toString(), 'application/x-www-form-urlencoded'),
  written('as plain text', (login) => JSON.stringify(login), 'text/plain'),
  written(
    'with a prototype',
    (login) => `{"__proto__":{"walletAddress":"x"},${JSON.stringify(login).slice(1)}`,
  ),
  written('with a constructor', (login) => {
    return `{"constructor":{"prototype":{"a":1}},${JSON.stringify(login).slice(1)}`
  }),
  written('eight thousand brackets', () => '['.repeat(8_000)),
  written('an empty text', () => ''),
]

/** Logins that differ from an honest one in one thing. */
export const NEAR_MISSES: NearMiss[] = [...SIGNATURES, ...MESSAGES, ...BODIES]
