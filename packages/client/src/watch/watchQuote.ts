import type { Quote } from '../convert/answers.ts'
import { type QuoteQuestion, quoteParameters } from '../convert/conversions.ts'
import { openStream, type StreamOptions } from './openStream.ts'

const PROCEDURE = '/hawser.convert.v1.QuoteService/WatchQuote'

/** What a message of the stream says; `block` is the block it speaks of. */
export type QuoteChange =
  | { readonly kind: 'quote'; readonly block: bigint; readonly quote: Quote }
  /** There is no quote now; `code` is that of a REST refusal, such as `ROUTE_ABSENT`. */
  | { readonly kind: 'absence'; readonly block: bigint; readonly code: string }
  /** Nothing changed for a while: the last quote holds. */
  | { readonly kind: 'alive'; readonly block: bigint }

/**
 * Opens `hawser.convert.v1.QuoteService/WatchQuote` and yields the best quote, and again whenever a block changes it.
 *
 * @throws what `openStream` throws.
 */
export async function* watchQuote(
  options: StreamOptions,
  question: QuoteQuestion,
): AsyncGenerator<QuoteChange> {
  for await (const message of openStream(options, PROCEDURE, { swap: quoteParameters(question) })) {
    yield quoteChange(message)
  }
}

interface Message {
  readonly block?: string
  readonly quote?: Partial<Quote>
  readonly absence?: { readonly code?: string }
}

function quoteChange({ block = '0', quote, absence }: Message): QuoteChange {
  if (quote) return { kind: 'quote', block: BigInt(block), quote: withDefaults(quote) }
  if (absence) return { kind: 'absence', block: BigInt(block), code: absence.code ?? '' }
  return { kind: 'alive', block: BigInt(block) }
}

/** A field that has its default value is left out of a Connect message. */
function withDefaults(quote: Partial<Quote>): Quote {
  return {
    id: '',
    fromAmount: '0',
    fromAccount: '',
    toAmount: '0',
    toAccount: '',
    toAmountMin: '0',
    source: '',
    block: '0',
    gas: '0',
    gasPrice: '0',
    networkFee: '0',
    providerFee: '0',
    confirmed: false,
    unconfirmedBecause: '',
    calls: 1,
    offers: [],
    ...quote,
    route: (quote.route ?? []).map((path) => ({
      ...path,
      share: path.share ?? 0,
      hops: (path.hops ?? []).map((hop) => ({ ...hop, fee: hop.fee ?? 0 })),
    })),
  }
}
