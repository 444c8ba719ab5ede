// The official Go SDK over Streamable HTTP.
package main

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"sync"

	"clients/plan"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type withHeaders map[string]string

func (headers withHeaders) RoundTrip(request *http.Request) (*http.Response, error) {
	copied := request.Clone(request.Context())
	for name, value := range headers {
		copied.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(copied)
}

// Reports may be handled after the answer to their call.
type reports struct {
	lock     sync.Mutex
	token    any
	progress []float64
	onReport func()
}

func (r *reports) add(token any, value float64) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if token != r.token {
		return
	}
	r.progress = append(r.progress, value)
	r.onReport()
}

func (r *reports) restart(token any, onReport func()) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.token, r.progress, r.onReport = token, []float64{}, onReport
}

func (r *reports) taken() []float64 {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.progress
}

func collect[T any](items iter.Seq2[*T, error], name func(*T) string) (any, error) {
	names := []string{}
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		names = append(names, name(item))
	}
	return names, nil
}

func firstText(result *mcp.CallToolResult) (string, error) {
	if len(result.Content) == 0 {
		return "", nil
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		return "", errors.New("its first content is no text")
	}
	return text.Text, nil
}

func options(changes chan struct{}, told *reports) *mcp.ClientOptions {
	return &mcp.ClientOptions{
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "test", Content: &mcp.TextContent{Text: "a model"}}, nil
		},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { plan.Tell(changes) },
		ProgressNotificationHandler: func(_ context.Context, request *mcp.ProgressNotificationClientRequest) {
			told.add(request.Params.ProgressToken, request.Params.Progress)
		},
	}
}

func call(ctx context.Context, session *mcp.ClientSession, step plan.Step, token any) (string, error) {
	params := &mcp.CallToolParams{Name: step.Name}
	// A map that is nil would be sent as null.
	if step.Arguments != nil {
		params.Arguments = step.Arguments
	}
	if token != nil {
		params.SetProgressToken(token)
	}
	result, err := session.CallTool(ctx, params)
	if err != nil {
		return "", err
	}
	return firstText(result)
}

func calls(session *mcp.ClientSession, told *reports) map[string]plan.Work {
	return map[string]plan.Work{
		"callTool": func(ctx context.Context, step plan.Step) (any, error) {
			return call(ctx, session, step, nil)
		},
		"callWithProgress": func(ctx context.Context, step plan.Step) (any, error) {
			told.restart("with-progress", func() {})
			text, err := call(ctx, session, step, "with-progress")
			return plan.WithProgress{Text: text, Progress: told.taken()}, err
		},
		"cancel": func(ctx context.Context, step plan.Step) (any, error) {
			ctx, giveUp := context.WithCancel(ctx)
			defer giveUp()
			told.restart("given-up", giveUp)
			text, err := call(ctx, session, step, "given-up")
			if errors.Is(err, context.Canceled) {
				return "given up", nil
			}
			return text, err
		},
	}
}

func connect(ctx context.Context, wanted plan.Plan) (map[string]plan.Work, func(), error) {
	changes := make(chan struct{}, 1)
	told := &reports{onReport: func() {}}
	client := mcp.NewClient(&mcp.Implementation{Name: "go-sdk", Version: "1"}, options(changes, told))
	client.AddRoots(&mcp.Root{URI: "file:///work", Name: "Work"})
	http := &http.Client{Transport: withHeaders(wanted.Headers)}
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: wanted.URL, HTTPClient: http}, nil)
	if err != nil {
		return nil, nil, err
	}
	steps := calls(session, told)
	steps["awaitChange"] = plan.Await(changes)
	steps["listTools"] = func(ctx context.Context, _ plan.Step) (any, error) {
		return collect(session.Tools(ctx, nil), func(tool *mcp.Tool) string { return tool.Name })
	}
	steps["listPrompts"] = func(ctx context.Context, _ plan.Step) (any, error) {
		return collect(session.Prompts(ctx, nil), func(prompt *mcp.Prompt) string { return prompt.Name })
	}
	steps["listResources"] = func(ctx context.Context, _ plan.Step) (any, error) {
		return collect(session.Resources(ctx, nil), func(resource *mcp.Resource) string { return resource.URI })
	}
	steps["listTemplates"] = func(ctx context.Context, _ plan.Step) (any, error) {
		return collect(session.ResourceTemplates(ctx, nil), func(one *mcp.ResourceTemplate) string { return one.URITemplate })
	}
	steps["getPrompt"] = func(ctx context.Context, step plan.Step) (any, error) {
		result, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: step.Name})
		if err != nil {
			return nil, err
		}
		return result.Messages[0].Content.(*mcp.TextContent).Text, nil
	}
	steps["readResource"] = func(ctx context.Context, step plan.Step) (any, error) {
		result, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: step.URI})
		if err != nil {
			return nil, err
		}
		return result.Contents[0].Text, nil
	}
	return steps, func() { session.Close() }, nil
}

func main() { plan.Run(connect) }
