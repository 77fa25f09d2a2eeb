/* A small reader for JSON: enough for vectors.json, and nothing to install. Nothing is ever freed. */
#ifndef JSON_H
#define JSON_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT } json_kind;

typedef struct json {
    json_kind kind;
    long number;       /* of a number, and of a truth value 0 or 1 */
    char *text;        /* of a text */
    char *name;        /* of a field: its name */
    struct json *item; /* of a list or an object: the first item */
    struct json *next; /* the item behind this one */
} json;

static const json json_nothing = { JSON_NULL, 0, NULL, NULL, NULL, NULL };

static void json_wrong(const char *expected, const char *at)
{
    fprintf(stderr, "%s was expected at `%.20s`\n", expected, at);
    exit(2);
}

static void *json_room(size_t size)
{
    void *room = calloc(1, size);
    if (room == NULL) {
        fprintf(stderr, "no memory\n");
        exit(2);
    }
    return room;
}

static void json_blanks(const char **at)
{
    while (isspace((unsigned char)**at))
        ++*at;
}

static char *json_text(const char **at)
{
    const char *begin;
    char *text, *end;
    json_blanks(at);
    if (**at != '"')
        json_wrong("a text", *at);
    begin = ++*at;
    end = text = json_room(strlen(begin) + 1 < 4096 ? strlen(begin) + 1 : 4096);
    while (**at != '"') {
        if (**at == '\0' || end - text > 4000)
            json_wrong("the end of a text", begin);
        if (**at == '\\')
            ++*at;
        *end++ = *(*at)++;
    }
    ++*at;
    return text;
}

static json *json_value(const char **at)
{
    json *value = json_room(sizeof *value);
    json_blanks(at);
    if (**at == '{' || **at == '[') {
        char close = **at == '{' ? '}' : ']';
        json **last = &value->item;
        value->kind = **at == '{' ? JSON_OBJECT : JSON_LIST;
        ++*at;
        json_blanks(at);
        while (**at != close) {
            char *name = NULL;
            if (value->kind == JSON_OBJECT) {
                name = json_text(at);
                json_blanks(at);
                if (**at != ':')
                    json_wrong("`:`", *at);
                ++*at;
            }
            *last = json_value(at);
            (*last)->name = name;
            last = &(*last)->next;
            json_blanks(at);
            if (**at == ',')
                ++*at;
            else if (**at != close)
                json_wrong("`,`", *at);
            json_blanks(at);
        }
        ++*at;
    } else if (**at == '"') {
        value->kind = JSON_TEXT;
        value->text = json_text(at);
    } else if (strncmp(*at, "null", 4) == 0) {
        *at += 4;
    } else if (strncmp(*at, "true", 4) == 0) {
        value->kind = JSON_BOOL;
        value->number = 1;
        *at += 4;
    } else if (strncmp(*at, "false", 5) == 0) {
        value->kind = JSON_BOOL;
        *at += 5;
    } else {
        char *end;
        value->kind = JSON_NUMBER;
        value->number = strtol(*at, &end, 10);
        if (end == *at)
            json_wrong("a value", *at);
        *at = end;
    }
    return value;
}

/* A field of an object; nothing if there is none. */
static const json *json_get(const json *object, const char *name)
{
    const json *field;
    for (field = object->item; field != NULL; field = field->next)
        if (field->name != NULL && strcmp(field->name, name) == 0)
            return field;
    return &json_nothing;
}

/* A whole file. */
static const json *json_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t size = 0, room = 1 << 16, got;
    char *text = json_room(room);
    const char *at;
    if (file == NULL) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    while ((got = fread(text + size, 1, room - size - 1, file)) > 0) {
        size += got;
        if (size + 1 >= room) {
            text = realloc(text, room *= 2);
            if (text == NULL)
                exit(2);
        }
    }
    text[size] = '\0';
    fclose(file);
    at = text;
    return json_value(&at);
}

#endif
