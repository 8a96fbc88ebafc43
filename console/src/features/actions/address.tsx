/** An address that something would go to. One outside the sending account's own domain stands out. */
export function Address({ address, account }: { address: string; account: string }) {
  return (
    <span className="wrap-anywhere">
      {address}
      {isOutside(address, account) && <span className="ml-1.5 text-xs text-wait">external</span>}
    </span>
  );
}

function isOutside(address: string, account: string): boolean {
  const domain = domainOf(account);
  return domain !== '' && domainOf(address) !== '' && domainOf(address) !== domain;
}

/** Of the address itself: what stands before it is a name, which may look like another address. */
function domainOf(address: string): string {
  return /@([\w.-]+)>?\s*$/.exec(address)?.[1]?.toLowerCase() ?? '';
}
