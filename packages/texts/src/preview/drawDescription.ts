import type { Described } from './described.ts'

/** Creates an element of a page: `h` of Preact. */
export type CreateElement<Node> = (
  tag: string,
  props: { readonly class?: string } | null,
  ...children: (Node | string)[]
) => Node

/** Draws what a request asks: its title, who runs the contract, and its rows. `address` draws an account or a contract. */
export function drawDescription<Node>(
  { title, owner, rows }: Described,
  h: CreateElement<Node>,
  address: (whole: string) => Node,
): Node[] {
  const apart = (text: string) => h('bdi', null, text)
  const fields = rows.map((row) => {
    const value = row.address ? address(row.address) : apart(row.text)
    const inner = row.inner ? drawDescription(row.inner, h, address) : []
    return h('div', null, h('dt', null, apart(row.label)), h('dd', null, value, ...inner))
  })
  return [
    ...(title ? [h('strong', null, apart(title))] : []),
    ...(owner ? [h('span', { class: 'name' }, apart(owner))] : []),
    h('dl', { class: 'fields' }, ...fields),
  ]
}
