/** Which database to open, as the settings say. */
export type DatabaseTarget = PostgresByUrl | PostgresFields | EmbeddedDatabase;

export interface PostgresByUrl {
  readonly kind: 'postgres';
  readonly connectionString: string;
}

export interface PostgresFields {
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
