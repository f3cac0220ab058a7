/** An address, whole. Where it does not fit a line, it is broken in its middle. */
export function Address({ children: address }: { readonly children: string }) {
  const middle = Math.ceil(address.length / 2)
  return (
    <bdi class="address">
      {address.slice(0, middle)}
      <wbr />
      {address.slice(middle)}
    </bdi>
  )
}
