/** A recipient address. One outside the sending account's domain is highlighted. */
export function Address({ address, account }: { address: string; account: string }) {
  return (
    <span className="wrap-anywhere">
      {address}
      {isOutside(address, account) && <span className="ml-1.5 text-xs text-wait">external</span>}
    </span>
  );
}

function isOutside(address: string, account: string): boolean {
  const domain = getDomain(account);
  return domain !== '' && getDomain(address) !== '' && getDomain(address) !== domain;
}

/** Ignores the display name, which may look like another address. */
function getDomain(address: string): string {
  return /@([\w.-]+)>?\s*$/.exec(address)?.[1]?.toLowerCase() ?? '';
}
