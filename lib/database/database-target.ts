/** Which database to open, as the settings say. */
export type DatabaseTarget = PostgresByUrl | PostgresByParts | EmbeddedDatabase;

export interface PostgresByUrl {
  readonly kind: 'postgres';
  readonly connectionString: string;
}

export interface PostgresByParts {
  readonly kind: 'postgres';
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

export interface EmbeddedDatabase {
  readonly kind: 'pglite';
  readonly directory: string;
}
