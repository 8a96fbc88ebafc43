import type { Operation } from './operation.ts';

/** Every operation of the product by name. */
export type Catalogue = ReadonlyMap<string, Operation>;

/** Finds an operation by its other names, too, and lists each operation once. */
class NamedOperations extends Map<string, Operation> {
  readonly #byShortName = new Map<string, string>();

  /** Throws when a name is taken. */
  add(operation: Operation): void {
    const names = [operation.name, ...(operation.shortNames ?? [])];
    for (const name of names) if (this.get(name)) throw new Error(`two operations are called ${name}`);
    for (const name of names.slice(1)) this.#byShortName.set(name, operation.name);
    this.set(operation.name, operation);
  }

  override get(name: string): Operation | undefined {
    return super.get(this.#byShortName.get(name) ?? name);
  }
}

/** Gathers the operations. Throws when two share a name or a route. */
export function createCatalogue(operations: readonly Operation[]): Catalogue {
  const catalogue = new NamedOperations();
  const routes = new Map<string, string>();
  for (const operation of operations) {
    catalogue.add(operation);
    for (const { method, path } of operation.rest ?? []) {
      const route = `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
      const other = routes.get(route);
      if (other) throw new Error(`${operation.name} and ${other} share the route ${route}`);
      routes.set(route, operation.name);
    }
  }
  return catalogue;
}

/** The existing toolsets. */
export function listToolsets(catalogue: Catalogue): string[] {
  return [...new Set([...catalogue.values()].map(({ toolset }) => toolset))].toSorted();
}

const usualBytes = 1_000_000;

/** The largest request body of all operations, in bytes. */
export function findLargestBody(catalogue: Catalogue): number {
  return Math.max(usualBytes, ...[...catalogue.values()].map(({ maxBodyBytes }) => maxBodyBytes ?? 0));
}
