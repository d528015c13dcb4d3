import { hash } from 'node:crypto'
import {
  address,
  getBase58Decoder,
  getOffchainMessageV0Encoder,
  getOffchainMessageV1Encoder,
  offchainMessageApplicationDomain,
  offchainMessageContentRestrictedAsciiOf1232BytesMax,
  offchainMessageContentUtf8Of1232BytesMax,
  type BaseOffchainMessageV0,
  type OffchainMessageWithRequiredSignatories as RequiredSignatories,
  type ReadonlyUint8Array,
} from '@solana/kit'
import type { Site } from '#server/platform/site.ts'

/** The application domain of wallets that name no application: 32 zero bytes. */
const NO_DOMAIN = new Uint8Array(32)

/** The application domain of this game: SHA-256 of the host that its pages have, with the port if there is one. */
const domainOf = ({ host }: Site): Uint8Array => hash('sha256', host, 'buffer')

/** Which application domain a message of version 0 carries. */
export type Domain = 'own' | 'none'

type V0 = { wallet: string; text: string; domain: Domain }

/** Version 0, format 0: printable ASCII in one line, which hardware wallets can show. */
export const offchainV0Line = (site: Site, of: V0): ReadonlyUint8Array =>
  getOffchainMessageV0Encoder().encode({
    ...preamble(site, of),
    content: offchainMessageContentRestrictedAsciiOf1232BytesMax(of.text),
  })

/** Version 0, format 1: UTF-8 with line breaks. */
export const offchainV0Text = (site: Site, of: V0): ReadonlyUint8Array =>
  getOffchainMessageV0Encoder().encode({
    ...preamble(site, of),
    content: offchainMessageContentUtf8Of1232BytesMax(of.text),
  })

function preamble(site: Site, { wallet, domain }: V0): BaseOffchainMessageV0 & RequiredSignatories {
  const bytes = domain === 'own' ? domainOf(site) : NO_DOMAIN
  return {
    version: 0,
    applicationDomain: offchainMessageApplicationDomain(getBase58Decoder().decode(bytes)),
    requiredSignatories: [{ address: address(wallet) }],
  }
}

/** Version 1: UTF-8, no application domain. The wallet is the only required signer. */
export const offchainV1 = ({ wallet, text }: { wallet: string; text: string }): ReadonlyUint8Array =>
  getOffchainMessageV1Encoder().encode({
    version: 1,
    requiredSignatories: [{ address: address(wallet) }],
    content: text,
  })
